package core

import "coppice/backend/jsontext"

type plainUsage Usage

// MarshalJSON writes the known fields and then Extra by name. It does not fail, see Message.
func (u Usage) MarshalJSON() ([]byte, error) {
	u.Native = jsontext.Sound(u.Native)
	return jsontext.EncodeObject(plainUsage(u), u.Extra)
}

// UnmarshalJSON reads usage; unknown fields go to Extra.
func (u *Usage) UnmarshalJSON(data []byte) error {
	usage := Usage{}
	extra, err := decodeObject(data, usage.field, strict)
	if err != nil {
		return err
	}
	usage.Extra = extra
	*u = usage
	return nil
}

func (u *Usage) field(name string) any {
	switch name {
	case "inputTokens":
		return &u.InputTokens
	case "outputTokens":
		return &u.OutputTokens
	case "cacheReadTokens":
		return &u.CacheReadTokens
	case "cacheWriteTokens":
		return &u.CacheWriteTokens
	case "reasoningTokens":
		return &u.ReasoningTokens
	case "native":
		return &u.Native
	}
	return nil
}

type plainOrigin Origin

// MarshalJSON writes the known fields and then Extra by name.
func (o Origin) MarshalJSON() ([]byte, error) { return jsontext.EncodeObject(plainOrigin(o), o.Extra) }

// UnmarshalJSON reads an origin; unknown fields go to Extra.
func (o *Origin) UnmarshalJSON(data []byte) error {
	origin := Origin{}
	extra, err := decodeObject(data, origin.field, strict)
	if err != nil {
		return err
	}
	origin.Extra = extra
	*o = origin
	return nil
}

func (o *Origin) field(name string) any {
	switch name {
	case "protocol":
		return &o.Protocol
	case "provider":
		return &o.Provider
	case "requestModel":
		return &o.RequestModel
	case "responseModel":
		return &o.ResponseModel
	case "responseId":
		return &o.ResponseID
	case "requestId":
		return &o.RequestID
	}
	return nil
}
