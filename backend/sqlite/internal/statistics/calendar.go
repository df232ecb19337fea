package statistics

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/activity"
)

// date is a day as a number, 20260131; 0: nobody knows.
type date int64

func (d date) String() string {
	return fmt.Sprintf("%04d-%02d-%02d", d/10000, d/100%100, d%100)
}

func dateOf(at time.Time) date {
	year, month, day := at.Date()
	return date(year*10000 + int(month)*100 + day)
}

// day is what was done on a day.
type day struct {
	date  date
	asked bool // for
	whole group
	parts []group // by the number of what days are split by; those without sessions are none
}

func (d *day) part(number int64) *group {
	if missing := number + 1 - int64(len(d.parts)); missing > 0 {
		d.parts = append(d.parts, make([]group, missing)...)
	}
	return &d.parts[number]
}

// calendar returns the day of a quarter of an hour in a zone, whatever its clocks do that day.
type calendar struct {
	zone     *time.Location
	first    date // 0: no limit
	last     date // 0: no limit
	days     map[date]*day
	quarters map[int64]*day
	latest   int64 // the quarter that was asked for last, and its day
	day      *day
}

func newCalendar(since, until string, zone *time.Location) (calendar, error) {
	c := calendar{zone: zone, days: map[date]*day{}, quarters: map[int64]*day{}}
	for _, limit := range []struct {
		text string
		to   *date
	}{{since, &c.first}, {until, &c.last}} {
		if limit.text == "" {
			continue
		}
		at, err := time.Parse(time.DateOnly, limit.text)
		if err != nil {
			return c, core.E(core.Invalid, "invalid day %q", limit.text).WithHint("write it like 2026-01-31")
		}
		*limit.to = dateOf(at)
	}
	return c, nil
}

func (c *calendar) of(quarter int64) *day {
	if c.day != nil && c.latest == quarter {
		return c.day
	}
	found, ok := c.quarters[quarter]
	if !ok {
		found = c.find(quarter)
		c.quarters[quarter] = found
	}
	c.latest, c.day = quarter, found
	return found
}

func (c *calendar) find(quarter int64) *day {
	on := date(0)
	if quarter != 0 {
		on = dateOf(time.UnixMilli(quarter * activity.QuarterMs).In(c.zone))
	}
	found, ok := c.days[on]
	if !ok {
		found = &day{date: on, asked: c.holds(on)}
		c.days[on] = found
	}
	return found
}

// holds reports whether a day is within the limits. An unknown day is only if the calendar has no limits.
func (c *calendar) holds(on date) bool {
	if on == 0 {
		return c.first == 0 && c.last == 0
	}
	return on >= c.first && (c.last == 0 || on <= c.last)
}

// inOrder returns the days that were asked for, but for the one that nobody knows.
func (c *calendar) inOrder() []*day {
	days := slices.SortedFunc(maps.Values(c.days), func(a, b *day) int { return cmp.Compare(a.date, b.date) })
	return slices.DeleteFunc(days, func(d *day) bool { return d.date == 0 })
}
