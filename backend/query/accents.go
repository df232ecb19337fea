package query

// The base letters of the accented letters from U+00C0 and from U+1E00 on, by Unicode's decomposition; a point if that is not one
// of a to z.
const (
	latinFrom = 0x00C0
	latin     = "aaaaaa.ceeeeiiii.nooooo..uuuuy..aaaaaa.ceeeeiiii.nooooo..uuuuy.yaaaaaaccccccccdd..eeeeeeeeeegggg" +
		"gggghh..iiiiiiiii...jjkk.llllll....nnnnnn...oooooo..rrrrrrsssssssstttt..uuuuuuuuuuuuwwyyyzzzzzz." +
		"................................oo.............uu............................aaiioouuuuuuuuuu.aa" +
		"aa....ggkkoooo..j...gg..nnaa....aaaaeeeeiiiioooorrrruuuusstt..hh......aaeeooooooooyy............" +
		"................"
	moreLatinFrom = 0x1E00
	moreLatin     = "aabbbbbbccddddddddddeeeeeeeeeeffgghhhhhhhhhhiiiikkkkkkllllllllmmmmmmnnnnnnnnoooooooopppprrrrrrrr" +
		"ssssssssssttttttttuuuuuuuuuuvvvvwwwwwwwwwwxxxxyyzzzzzzhtwy......aaaaaaaaaaaaaaaaaaaaaaaaeeeeeeee" +
		"eeeeeeeeiiiioooooooooooooooooooooooouuuuuuuuuuuuuuyyyyyyyy......"
)

// base returns the base letter of an accented one.
func base(r rune) rune {
	switch {
	case r < latinFrom:
		return r
	case r < latinFrom+rune(len(latin)):
		return letter(latin[r-latinFrom], r)
	case r >= moreLatinFrom && r < moreLatinFrom+rune(len(moreLatin)):
		return letter(moreLatin[r-moreLatinFrom], r)
	}
	switch r { // Greek, in capitals, as fold expects
	case 'Ά':
		return 'Α'
	case 'Έ':
		return 'Ε'
	case 'Ή':
		return 'Η'
	case 'Ί', 'Ϊ', 'ΐ':
		return 'Ι'
	case 'Ό':
		return 'Ο'
	case 'Ύ', 'Ϋ', 'ΰ':
		return 'Υ'
	case 'Ώ':
		return 'Ω'
	default:
		return r
	}
}

func letter(below byte, r rune) rune {
	if below == '.' {
		return r
	}
	return rune(below)
}
