const titles: Record<string, string> = {
  anthropic: "Anthropic",
  openai: "OpenAI",
  google: "Google Gemini",
  openrouter: "OpenRouter",
  mistral: "Mistral",
  deepseek: "DeepSeek",
  xai: "xAI",
  groq: "Groq",
  together: "Together AI",
  fireworks: "Fireworks AI",
  ollama: "Ollama",
  lmstudio: "LM Studio",
  llamacpp: "llama.cpp",
  vllm: "vLLM",
  jan: "Jan",
  koboldcpp: "KoboldCpp",
  localai: "LocalAI",
};

/** The name of a provider as its vendor writes it; a provider of the user keeps its own. */
export function providerTitle(name: string): string {
  return titles[name] ?? name;
}
