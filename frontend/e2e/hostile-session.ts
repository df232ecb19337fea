// A session with the same hostile text in every name and text.

/** A session of two branches as JSON, with hostile text in every string that may be any. */
export function hostileSession(
  id: string,
  title: string,
  hostile: string,
  workspacePath: string,
): string {
  const atMs = Date.now() - 1000;
  const text = (text: string) => ({ type: "text", text: `${text} ${hostile}` });
  const result = (id: string, name: string) => ({
    type: "tool_result",
    id,
    name,
    result: [text("word")],
    isError: id === "c1",
  });
  const message = (
    [seq, depth, branch, turn]: [number, number, number, number],
    role: string,
    parts: object[],
    parent = seq - 1,
  ) => ({
    ...{ uid: `m-${seq}`, parentUid: parent < 0 ? "" : `m-${parent}` },
    ...{ seq, depth, branch, turn, role, kind: "message", parts, createdAtMs: atMs + seq },
    ...{ name: hostile, agent: hostile, model: hostile, finishReason: hostile },
    ...(role === "assistant" && { usage: { inputTokens: 1, outputTokens: 1 } }),
  });
  const call = (id: string, name: string, args: object) => ({
    ...{ type: "tool_call", id, name, arguments: args },
  });
  return JSON.stringify({
    format: "coppice.session",
    version: 1,
    generator: hostile,
    exportedAtMs: atMs,
    session: {
      ...{ id, name: hostile, title, task: hostile, source: "coppice", sourceId: hostile },
      ...{ sourcePath: hostile, status: "success", stopReason: hostile, agent: hostile },
      ...{ model: hostile, workspacePath, filesModified: [hostile], headUid: "m-3" },
      ...{ createdAtMs: atMs, updatedAtMs: atMs + 9 },
    },
    branches: [
      { number: 0, parent: -1, forkDepth: -1, tipDepth: 3, createdAtMs: atMs },
      { number: 1, parent: 0, forkDepth: 0, tipDepth: 1, createdAtMs: atMs },
    ],
    messages: [
      message([0, 0, 0, 0], "user", [
        text("word"),
        { type: "media", media: { mimeType: hostile, name: hostile, uri: hostile } },
      ]),
      message([1, 1, 0, 0], "assistant", [
        text("word"),
        call("c1", "run_command", { command: hostile, [hostile]: hostile }),
        call("c2", "write_file", { path: hostile, content: hostile }),
        { type: `odd${hostile}`, native: { x: hostile } },
      ]),
      message([2, 2, 0, 0], "tool", [result("c1", "run_command"), result("c2", "write_file")]),
      message([3, 3, 0, 0], "assistant", [{ type: "reasoning", text: hostile }, text("word")]),
      message([4, 1, 1, 1], "assistant", [text("word")], 0),
    ],
    labels: [
      { turn: 0, uid: "m-0", text: hostile, createdAtMs: atMs },
      { turn: 1, uid: "m-4", text: hostile, createdAtMs: atMs },
    ],
  });
}
