package texts

import "reflect"

// withEnglish returns texts with the English one in the place of each that is empty.
func withEnglish(t Texts) Texts {
	given, english := reflect.ValueOf(&t).Elem(), reflect.ValueOf(English())
	for i := range given.NumField() {
		if field := given.Field(i); field.Kind() == reflect.String && field.Len() == 0 {
			field.Set(english.Field(i))
		}
	}
	return t
}
