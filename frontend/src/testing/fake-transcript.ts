// Sessions of the fake that put the transcript to the test: a long agent run, and a path of 100,000 messages.

import type { Block } from "@/lib/api/api";
import { block, prose, reasoning, tool } from "./fake-blocks";
import { random } from "./fake-content";
import type { FakeSession } from "./fake-session";

/** Prose as Go renders it, with everything that prose.css knows. */
const rich = `<h3 dir="auto">What I found</h3>
<p dir="auto">The start takes <strong>4.2 s</strong>, of which 3.1 s are spent in <code>loadPlugins</code>. See <a href="https://example.org/trace" rel="noopener noreferrer">the trace</a>.</p>
<ul><li dir="auto">every plugin is read twice</li><li dir="auto">the second read is <em>synchronous</em><ul><li dir="auto">and it waits for the network</li></ul></li></ul>
<pre class="code" dir="ltr" tabindex="0" data-lang="go"><code><span class="chroma-k">func</span> <span class="chroma-nf">load</span>(dir <span class="chroma-nb">string</span>) ([]Plugin, <span class="chroma-nb">error</span>) {
	<span class="chroma-c">// one long comment that goes on beyond the right edge of the pane, so that the well has to scroll by itself and not the page</span>
	<span class="chroma-k">return</span> <span class="chroma-nf">read</span>(dir, <span class="chroma-s">"*.so"</span>)
}</code></pre>
<blockquote dir="auto"><p dir="auto">Premature optimisation is the root of all evil.</p></blockquote>
<div class="table" tabindex="0"><table dir="auto"><thead><tr><th>step</th><th align="right">before</th><th align="right">after</th></tr></thead><tbody><tr><td>scan</td><td align="right">1,204 ms</td><td align="right">80 ms</td></tr><tr><td>link</td><td align="right">3,110 ms</td><td align="right">212 ms</td></tr></tbody></table></div>
<p dir="auto">I would take the second way.</p>`;

function richProse(): Block {
  return block({ type: "prose", html: rich, chars: 900, lines: 20, sizeBytes: 900 });
}

/** Fills a session with one prompt and many steps: calls one by one, results in messages of their own, failures, alternatives. */
export function fillAgentRun(fake: FakeSession): void {
  const next = random(16);
  let at = fake.append("", {
    role: "system",
    blocks: [prose("You are a careful engineer. Say what you do before you do it.")],
  });
  at = fake.append(at, { role: "user", blocks: [prose("Find out why the start is slow.")] });
  const prompt = at;
  const step = (blocks: Block[], more: { error?: string; finishReason?: string } = {}) => {
    const resultUid = `${fake.session.id}-m${fake.messages().length + 1}`;
    at = fake.append(at, {
      role: "assistant",
      blocks: blocks.map((block) => (block.type === "tool" ? { ...block, resultUid } : block)),
      inputTokens: 4200,
      outputTokens: 90 + next(200),
      costNanoUsd: 2_100_000,
      ...more,
    });
    const result = fake.append(at, { role: "tool", blocks: [], hidden: true });
    at = result;
  };
  step([
    reasoning(
      "The start is slow; first I look where the time goes. A trace tells more than reading.",
    ),
    prose("I look at the entry point first."),
    tool("Read", "cmd/main.go", { durationMs: 20 }),
  ]);
  for (let file = 0; file < 14; file++)
    step([
      tool(file % 4 === 3 ? "Grep" : "Read", `internal/plugin/part_${file}.go`, { durationMs: 30 }),
    ]);
  step([
    prose("Nothing there. Now the trace."),
    tool("Bash", "go tool trace out.trace", { state: "failed", durationMs: 2400 }),
  ]);
  step([
    tool(
      "Bash",
      "go test -run=XXX -bench=Start -cpuprofile=cpu.out ./... && go tool pprof -top cpu.out | head -40",
      { durationMs: 31_000 },
    ),
  ]);
  step([
    tool("TodoWrite", "2 of 4 done"),
    tool("Edit", "internal/plugin/load.go", { added: 31, removed: 12, durationMs: 40 }),
    tool("Bash", "sleep 1000", { state: "missing", durationMs: 0 }),
    tool(
      "WebFetch",
      "https://example.org/very/long/address/that/goes/on/and/on/and/on/and/on/and/on/index.html",
      { durationMs: 900 },
    ),
  ]);
  at = fake.append(at, {
    role: "assistant",
    blocks: [richProse()],
    outputTokens: 640,
    inputTokens: 9000,
    costNanoUsd: 9_000_000,
  });
  const answer = at;
  at = fake.append(at, { role: "user", blocks: [prose("Do it.")] });
  at = fake.append(at, {
    role: "assistant",
    blocks: [prose("Done: 0.4 s now.")],
    outputTokens: 20,
    inputTokens: 9100,
  });
  const end = at;
  for (let other = 0; other < 40; other++)
    fake.append(answer, { role: "user", blocks: [prose(`Another way, number ${other + 1}.`)] });
  at = fake.append(prompt, {
    role: "assistant",
    blocks: [prose("I would rather ask: which machine is it slow on?")],
    error: "overloaded_error: the provider did not answer in time",
  });
  fake.session.headUid = end;
}

const words =
  "the start is slow because every plugin is read twice and the second read waits for the network".split(
    " ",
  );

/** Fills one path of 100,000 messages of all heights. */
export function fillHuge(fake: FakeSession): void {
  const next = random(17);
  let at = "";
  for (let index = 0; index < 100_000; index++) {
    const text = Array.from(
      { length: 3 + next(9) * next(30) },
      () => words[next(words.length)],
    ).join(" ");
    const mine = index % 4 === 0;
    at = fake.append(at, {
      role: mine ? "user" : index % 4 === 2 ? "tool" : "assistant",
      hidden: index % 4 === 2,
      blocks:
        index % 4 === 2
          ? []
          : [
              prose(`Message ${index}: ${text}`),
              ...(index % 4 === 1 ? [tool("Read", `file_${index}.go`), tool("Bash", "make")] : []),
            ],
      outputTokens: mine ? 0 : 120,
    });
  }
}
