package price

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"strings"

	"coppice/backend/core"
)

// Own holds the user's own prices, by PROVIDER/MODEL or by the model alone, in lower case.
type Own map[string]*rate

func (o Own) find(provider, model string) (*rate, bool) {
	provider, model = strings.ToLower(provider), strings.ToLower(model)
	if r, ok := o[provider+"/"+model]; ok {
		return r, true
	}
	r, ok := o[model]
	return r, ok
}

// maxOwnBytes is larger than a list of all existing models.
const maxOwnBytes = 16 << 20

// File is the user's own prices with the text of the file they were read from.
type File struct {
	Own  Own
	text []byte
}

// ReadFile reads a file of prices, see ParseOwn. It returns none if the file does not exist.
func ReadFile(path string) (File, error) {
	data, err := core.ReadRegular(path, maxOwnBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return File{}, nil
	}
	if err != nil {
		return File{}, core.Wrap(core.Invalid, err, "read the prices")
	}
	own, err := ParseOwn(path, data)
	return File{Own: own, text: data}, err
}

// ReadOwn returns the prices of ReadFile.
func ReadOwn(path string) (Own, error) {
	file, err := ReadFile(path)
	return file.Own, err
}

// ParseOwn reads a JSON object that maps PROVIDER/MODEL or MODEL to a price in US dollars, in one of two forms:
//
//	"gpt-5": [0.00125, 0.01]                                            input and output, per thousand tokens
//	"openai/gpt-5": {"input": 1.25, "output": 10, "cacheRead": 0.125}   per million tokens; also cacheWrite
//
// Cached tokens cost as much as input if they have no price. Errors are Invalid and name the file, the line and the key.
func ParseOwn(file string, data []byte) (Own, error) {
	p := ownParser{file: file, data: data, decoder: json.NewDecoder(bytes.NewReader(data))}
	p.decoder.UseNumber()
	return p.parse()
}

type ownParser struct {
	file    string
	data    []byte
	decoder *json.Decoder
}

func (p *ownParser) parse() (Own, error) {
	start, err := p.decoder.Token()
	if err != nil {
		return nil, p.broken(err)
	}
	if start != json.Delim('{') {
		return nil, p.errorf("expected an object from model to price")
	}
	own := Own{}
	for p.decoder.More() {
		key, err := p.key()
		if err != nil {
			return nil, err
		}
		id := strings.ToLower(key)
		if own[id] != nil {
			return nil, p.errorf("duplicate key %q", key)
		}
		if own[id], err = p.price(key); err != nil {
			return nil, err
		}
	}
	if _, err := p.decoder.Token(); err != nil {
		return nil, p.broken(err)
	}
	if _, err := p.decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, p.errorf("text after the end of the object")
	}
	return own, nil
}

// price reads the price of one model in either form.
func (p *ownParser) price(model string) (*rate, error) {
	start, err := p.decoder.Token()
	if err != nil {
		return nil, p.broken(err)
	}
	switch start {
	case json.Delim('['):
		return p.pair(model)
	case json.Delim('{'):
		return p.object(model)
	default:
		return nil, p.errorf("%s: expected [input, output] or an object", model)
	}
}

// pair reads fuseraft's form, per thousand tokens.
func (p *ownParser) pair(model string) (*rate, error) {
	var prices []*amount
	for p.decoder.More() {
		a, err := p.amount(model, million/1000)
		if err != nil {
			return nil, err
		}
		prices = append(prices, a)
	}
	if _, err := p.decoder.Token(); err != nil {
		return nil, p.broken(err)
	}
	if len(prices) != 2 {
		return nil, p.errorf("%s: expected two numbers, the price of input and of output, found %d", model, len(prices))
	}
	return &rate{Input: prices[0], Output: prices[1]}, nil
}

func (p *ownParser) object(model string) (*rate, error) {
	var r rate
	fields := map[string]**amount{"input": &r.Input, "output": &r.Output, "cacheRead": &r.CacheRead, "cacheWrite": &r.CacheWrite}
	for p.decoder.More() {
		key, err := p.key()
		if err != nil {
			return nil, err
		}
		field, known := fields[key]
		if !known {
			return nil, p.errorf("%s: unknown key %q; there are input, output, cacheRead and cacheWrite", model, key)
		}
		if *field != nil {
			return nil, p.errorf("%s: duplicate key %q", model, key)
		}
		if *field, err = p.amount(model+": "+key, 1); err != nil {
			return nil, err
		}
	}
	if _, err := p.decoder.Token(); err != nil {
		return nil, p.broken(err)
	}
	if r.Input == nil || r.Output == nil {
		return nil, p.errorf("%s: input and output are required", model)
	}
	return &r, nil
}

func (p *ownParser) key() (string, error) {
	token, err := p.decoder.Token()
	if err != nil {
		return "", p.broken(err)
	}
	return token.(string), nil //nolint:errcheck // the decoder lets nothing else be a key
}

// amount reads a number of dollars and multiplies it to get the price of a million tokens.
func (p *ownParser) amount(name string, times int64) (*amount, error) {
	token, err := p.decoder.Token()
	if err != nil {
		return nil, p.broken(err)
	}
	number, ok := token.(json.Number)
	if !ok {
		return nil, p.errorf("%s: expected a number", name)
	}
	nano, err := nanoUSD(number.String(), times)
	if err != nil {
		return nil, p.errorf("%s: %v", name, err)
	}
	return &amount{Base: nano}, nil
}

func (p *ownParser) errorf(format string, args ...any) error {
	return p.at(p.decoder.InputOffset(), core.E(core.Invalid, format, args...).Message)
}

func (p *ownParser) broken(err error) error {
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		return p.at(syntax.Offset, syntax.Error())
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return p.at(int64(len(p.data)), "the JSON ends too early")
	}
	return p.at(p.decoder.InputOffset(), err.Error())
}

func (p *ownParser) at(offset int64, message string) error {
	before := p.data[:min(max(offset, 0), int64(len(p.data)))]
	return core.E(core.Invalid, "%s:%d: %s", p.file, 1+bytes.Count(before, []byte("\n")), message).
		WithHint(`Write prices as {"model": [input, output]} per 1,000 tokens or {"model": {"input": …, "output": …}} per million, in US dollars`)
}
