package failure

// The words by which errors are recognised, in lower case. The status is not enough: a conversation that is too long is
// 400 at most providers, 413 or 500 at some, and an event in a stream at others.
var (
	overflowWords = []string{
		"context_length_exceeded", // OpenAI, Groq, OpenRouter: the code
		"context length exceeded",
		"maximum context length",               // OpenAI, vLLM, OpenRouter, Mistral, DeepSeek
		"exceeds the context window",           // OpenAI responses
		"context window exceed",                // MiniMax
		"exceed context limit",                 // Anthropic: input and max_tokens together
		"prompt is too long",                   // Anthropic
		"prompt too long",                      // Ollama
		"request_too_large",                    // Anthropic: the type
		"input is too long",                    // Bedrock
		"input length exceeds",                 // Ollama
		"exceeds the maximum number of tokens", // Gemini
		"exceed_context_size",                  // llama.cpp: the type
		"exceeds the available context size",   // llama.cpp
		"context size has been exceeded",       // LM Studio
		"greater than the context length",      // LM Studio
		"when context the overflows",           // LM Studio, in its own words
		"the context overflows",
		"longer than the model's context length",     // vLLM, SGLang
		"longer than the maximum model length",       // vLLM
		"exceeds model's maximum context",            // SGLang
		"maximum prompt length",                      // xAI
		"reduce the length of the messages",          // Groq
		"exceeded model token limit",                 // Moonshot
		"`inputs` tokens + `max_new_tokens` must be", // Text Generation Inference, Together
		"model_max_prompt_tokens_exceeded",           // GitHub
		"too large for model with",                   // Mistral
		"max_prompt_tokens",
		"total tokens of image and text exceed max", // Z.AI
		"range of input length should be",           // Qwen
		"input tokens exceed",
		"input token count exceeds",
		"prompt exceeds max length", // Zhipu
		"number of tokens in the prompt exceeds",
		"requested tokens exceed context window", // llama-cpp-python
		"please shorten your input",
		"exceeds maximum allowed number of input toke",
	}
	creditWords   = []string{"insufficient_quota", "credit balance is too low", "insufficient credits", "insufficient balance", "insufficient_balance", "billing_hard_limit_reached", "billing_not_active", "requires more credits"}
	keyWords      = []string{"authentication_error", "permission_error", "invalid_api_key", "api_key_invalid", "api key not valid", "incorrect api key", "unauthenticated", "permission_denied"}
	modelWords    = []string{"model_not_found", "not a valid model", "unknown model", "invalid model", "no such model", "model not found", "not_found_error"}
	overloadWords = []string{"overloaded", "at capacity", "high demand", "no capacity"}
	rateWords     = []string{"rate_limit", "rate limit", "too many requests", "resource_exhausted"}
	rejectWords   = []string{"invalid_request", "invalid_prompt", "invalid_argument", "bad_request"}
)
