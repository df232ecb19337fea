package redact

import (
	"regexp"
	"strings"
)

// shape is the format of one vendor's keys, according to its documentation. Each key begins with, or contains, a
// keyword.
type shape struct{ keywords, pattern string }

// shapes lists the formats. A key does not begin inside a word.
func shapes() []shape {
	return []shape{
		{"sk-", `sk-[A-Za-z0-9_-]{20,}`}, // OpenAI, Anthropic, DeepSeek, OpenRouter, Langfuse
		{"akia asia abia acca", `A(?:KIA|SIA|BIA|CCA)[A-Z0-9]{16}`},
		{"ghp_ gho_ ghu_ ghs_ ghr_", `gh[pousr]_[A-Za-z0-9]{30,}`},
		{"github_pat_", `github_pat_[A-Za-z0-9_]{22,}`},
		{"glpat- glptt- glrt- gldt- glcbt- glft- glsoat- glagent- gloas-", `gl(?:pat|ptt|rt|dt|cbt|ft|soat|agent|oas)-[A-Za-z0-9_.-]{20,}`},
		{"xoxa- xoxb- xoxe- xoxo- xoxp- xoxr- xoxs- xoxe.", `xox[abeoprs](?:-|\.xox[bp]-)[A-Za-z0-9-]{10,}`},
		{"xapp-", `xapp-[A-Za-z0-9-]{10,}`},
		{"hooks.slack.com", `hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9/_-]{20,}`},
		{"/api/webhooks/", `discord(?:app)?\.com/api/webhooks/[0-9]{15,}/[A-Za-z0-9_-]{40,}`},
		{"webhook.office.com", `[a-z0-9-]+\.webhook\.office\.com/webhookb2/[A-Za-z0-9@/_-]{40,}`},
		{"aiza", `AIza[A-Za-z0-9_-]{35}`},
		{"ya29.", `ya29\.[A-Za-z0-9_-]{20,}`},
		{"gocspx-", `GOCSPX-[A-Za-z0-9_-]{20,}`},
		{"1//0", `1//0[A-Za-z0-9_-]{30,}`},
		{"k_live_ k_test_", `[srp]k_(?:live|test)_[A-Za-z0-9]{16,}`},
		{"whsec_", `whsec_[A-Za-z0-9+/=]{20,}`},
		{"npm_", `npm_[A-Za-z0-9]{36}`},
		{"pypi-", `pypi-[A-Za-z0-9_-]{40,}`},
		{"rubygems_", `rubygems_[a-f0-9]{40,}`},
		{"hf_", `hf_[A-Za-z0-9]{30,}`},
		{"sg.", `SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}`},
		{"xkeysib-", `xkeysib-[a-f0-9]{64}-[A-Za-z0-9]{16}`},
		{"key-", `key-[0-9a-f]{32}`},
		{keyEnd, `[0-9a-f]{32}-us[0-9]{1,2}`}, // Mailgun, Mailchimp
		{"xai- gsk_ pplx- r8_", `(?:xai-|gsk_|pplx-|r8_)[A-Za-z0-9]{20,}`},
		{"lsv2_", `lsv2_[ps][tk]_[a-f0-9]{32}_[a-f0-9]{10}`},
		{"lin_api_ lin_oauth_", `lin_(?:api|oauth)_[A-Za-z0-9]{20,}`},
		{"ntn_", `ntn_[A-Za-z0-9]{30,}`},
		{"secret_", `secret_[A-Za-z0-9]{43}`},
		{"doo_v1_ dop_v1_ dor_v1_", `do[opr]_v1_[a-f0-9]{40,}`},
		{"dapi", `dapi[a-f0-9]{32}`},
		{"hvs. hvb. hvr.", `hv[sbr]\.[A-Za-z0-9_-]{20,}`},
		{"tskey-", `tskey-[a-z]+-[A-Za-z0-9-]{16,}`},
		{"age-secret-key-", `AGE-SECRET-KEY-1[A-Z0-9]{50,}`},
		{":aa", `[0-9]{8,10}:AA[A-Za-z0-9_-]{33}`},
		{"eyj", `eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}`}, // JSON web tokens, RFC 7519
		{"shpat_ shpss_ shpca_ shppa_ shptka_", `shp(?:at|ss|ca|pa|tka)_[a-fA-F0-9]{32}`},
		{"sq0", `sq0[a-z]{3}-[A-Za-z0-9_-]{22,}`},
		{"eaaa", `EAAA[A-Za-z0-9_-]{56,}`},
		{"dckr_", `dckr_[po]at_[A-Za-z0-9_-]{20,}`},
		{"atatt3 atctt3 atbb", `(?:ATATT3|ATCTT3)[A-Za-z0-9_=-]{40,}|ATBB[A-Za-z0-9]{24,}`},
		{"sbp_ sb_secret_", `sbp_[a-f0-9]{40}|sb_secret_[A-Za-z0-9_-]{20,}`},
		{"dp.", `dp\.(?:pt|st|ct|sa|scim|audit)\.[A-Za-z0-9._-]{30,}`},
		{"pscale_", `pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.=-]{32,}`},
		{"fo1_ fm1 fm2", `fo1_[A-Za-z0-9_-]{43}|fm[12][ar]?_[A-Za-z0-9+/=_-]{50,}`},
		{"nfp_ nfc_ nfo_", `nf[pco]_[A-Za-z0-9]{36}`},
		{"pmak-", `PMAK-[a-f0-9]{24}-[a-f0-9]{34}`},
		{"nrak- nrii- nrjs- nrra-", `NR(?:AK|II|JS|RA)-[A-Za-z0-9_-]{19,}`},
		{"figd_ figo_", `fig[do]_[A-Za-z0-9_-]{30,}`},
		{"glc_ glsa_", `glc_[A-Za-z0-9+/=]{32,}|glsa_[A-Za-z0-9]{32}_[a-f0-9]{8}`},
		{"hrku-", `HRKU-[A-Za-z0-9_-]{36,}`},
		{"sntrys_ sntryu_", `sntry[su]_[A-Za-z0-9+/=_]{40,}`},
		{"pul-", `pul-[a-f0-9]{40}`},
		{".atlasv1.", `[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,}`},
		{"ccipat_", `CCIPAT_[A-Za-z0-9_]{30,}`},
		{"bkua_", `bkua_[a-f0-9]{40}`},
		{"ops_eyj", `ops_eyJ[A-Za-z0-9_-]{100,}`},
		{"8q~", `[A-Za-z0-9_.~-]{3}8Q~[A-Za-z0-9_.~-]{31,34}`}, // Azure's client secrets
		{"eaac", `EAAC[A-Za-z0-9]{60,}`},
		{"sl.", `sl\.[A-Za-z0-9_-]{100,}`},
		{"cfpat-", `CFPAT-[A-Za-z0-9_-]{43}`},
		{"vercel_ vck_ vcp_", `(?:vercel_|vc[kp]_)[A-Za-z0-9_]{24,}`},
		{"rnd_", `rnd_[A-Za-z0-9]{28,}`},
		{"phc_ phx_", `ph[cx]_[A-Za-z0-9]{40,}`},
		{"e2b_", `e2b_[a-f0-9]{40}`},
		{"tvly-", `tvly-[A-Za-z0-9-]{20,}`},
		{"fc-", `fc-[a-f0-9]{32}`},
		{"$apr1$ $2a$ $2b$ $2y$ $5$ $6$ {sha} {ssha}", `\$(?:apr1|2[aby]|[56])\$[A-Za-z0-9./$]{20,}|\{S?SHA\}[A-Za-z0-9+/=]{20,}`}, // htpasswd, shadow
	}
}

// keyEnd is the one keyword at the end of a key: that of Mailchimp.
const keyEnd = "-us"

// isKey reports whether the text after a keyword begins with as many characters of a key as every shape has.
func isKey(rest string) bool {
	const shortest = 8
	for i := range shortest {
		if i >= len(rest) || !isAlnum(rest[i]) && strings.IndexByte("_-.+/=~$@", rest[i]) < 0 {
			return false
		}
	}
	return true
}

// vendorRules returns a rule for each shape.
func vendorRules() []rule {
	rules := []rule{twilioRule()}
	for _, s := range shapes() {
		follows := isKey
		if s.keywords == keyEnd {
			follows = nil
		}
		rules = append(rules, rule{
			kind: Secret, keywords: strings.Fields(s.keywords), value: 1, follows: follows, accept: func(m []string) bool { return !strings.HasPrefix(m[1], "sk-") || countDigits(m[1]) > 1 }, // CSS has classes with this prefix
			pattern: regexp.MustCompile(`(?:^|[^A-Za-z0-9_])(?:[A-Za-z0-9_]*=)?(` + s.pattern + `)`),
		})
	}
	return rules
}

// twilioRule finds the keys of Twilio. Their keywords begin many words, such as "skip".
func twilioRule() rule {
	const digits = 32
	return rule{
		kind: Secret, keywords: strings.Fields("sk0 sk1 sk2 sk3 sk4 sk5 sk6 sk7 sk8 sk9 ska skb skc skd ske skf"), value: 1,
		follows: func(rest string) bool {
			return len(rest) >= digits-1 && strings.Trim(rest[:digits-1], "0123456789abcdef") == ""
		},
		pattern: regexp.MustCompile(`(?:^|[^A-Za-z0-9_])(?:[A-Za-z0-9_]*=)?(SK[0-9a-f]{32})`),
	}
}

func countDigits(text string) int {
	return len(text) - len(strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return -1
		}
		return r
	}, text))
}
