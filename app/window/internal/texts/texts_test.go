package texts_test

import (
	"reflect"
	"strings"
	"testing"

	"coppice/app/window/internal/texts"
)

// TestEnglishIsComplete requires a text for each field, none of which is a format of GTK's dialogs.
func TestEnglishIsComplete(t *testing.T) {
	t.Parallel()
	english := reflect.ValueOf(texts.English())
	for i := range english.NumField() {
		name, field := english.Type().Field(i).Name, english.Field(i)
		if field.Kind() == reflect.String && (field.String() == "" || strings.Contains(field.String(), "%")) {
			t.Errorf("%s: %q", name, field)
		}
	}
}

func TestShown(t *testing.T) {
	t.Parallel()
	var shown texts.Shown
	if got := shown.Now().CloseTitle; got != "Stop and close?" {
		t.Errorf("before the page has sent any: %q", got)
	}
	shown.Set(texts.Texts{CloseTitle: "Stoppen und schließen?", Menu: map[string]string{"File": "Datei"}})
	now := shown.Now()
	if now.CloseTitle != "Stoppen und schließen?" || now.KeepRunning != "Keep running" {
		t.Errorf("%+v", now)
	}
	if now.MenuTitle("File") != "Datei" || now.MenuTitle("Edit") != "Edit" {
		t.Errorf("%v", now.Menu)
	}
	if got := texts.Fill(now.RunWaits, "question", "write?"); got != "Waits for you: write?" {
		t.Errorf("%q", got)
	}
}
