// Package pages has a long list that the garbage collector does not scan.
package pages

// Size is how many values a page holds.
const Size = 1 << 12

// List is a long list of values of one size. It grows without copying existing values, and can be released page by page. If T has no
// pointers, the garbage collector never scans it, whatever its length. The zero value is empty.
type List[T any] struct {
	list   [][]T
	length int32
}

// Len returns the number of values, dropped ones included.
func (p *List[T]) Len() int32 { return p.length }

// Add appends a value and returns its number. It invalidates pointers to values of the first page, which grows: most lists are short.
func (p *List[T]) Add(v T) int32 {
	last := len(p.list) - 1
	if p.length%Size == 0 {
		var page []T
		if last >= 0 {
			page = make([]T, 0, Size)
		}
		p.list = append(p.list, page)
		last++
	}
	p.list[last] = append(p.list[last], v)
	p.length++
	return p.length - 1
}

// At returns a value by its number. It panics if it does not exist or was dropped.
func (p *List[T]) At(i int32) *T { return &p.list[i/Size][i%Size] }

// Drop releases a page: the values from page·Size on.
func (p *List[T]) Drop(page int32) { p.list[page] = nil }

// Held returns the number of pages that are not dropped.
func (p *List[T]) Held() int {
	n := 0
	for _, page := range p.list {
		if page != nil {
			n++
		}
	}
	return n
}
