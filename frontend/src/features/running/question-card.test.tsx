import { QueryClientProvider } from "@tanstack/react-query";
import { act, render, screen, waitFor } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { LiveAnswer, LiveQuestion } from "@/lib/api/api";
import { createQueryClient } from "@/lib/api/query";
import { renderApp } from "@/testing/render-app";
import { QuestionCard } from "./question-card";
import { ReviewCard } from "./review-card";

const asked: LiveQuestion = {
  id: 7,
  kind: "permit",
  callId: "c",
  toolName: "run_command",
  title: "Run go test ./core",
  preview: "go test ./core",
  risk: "",
  targets: ["go test ./core"],
  wider: ["every command that begins with go test"],
  inWorkspace: false,
  sandbox: "files confined by landlock; network off",
};

let nowMs = 0;

/** A card is read a second after it appeared. */
async function drawn(part: Partial<LiveQuestion> = {}, around = <input aria-label="elsewhere" />) {
  const fake = await renderApp(around, { sessions: 1 });
  const answers: LiveAnswer[] = [];
  fake.bindings.AnswerRun = vi.fn(async (_session, _run, question, answer) => {
    expect(question).toBe(7);
    answers.push(answer);
  });
  const question = { ...asked, ...part };
  nowMs += 1e4;
  vi.spyOn(performance, "now").mockImplementation(() => nowMs);
  const draw = (readMs = 1000) => {
    render(
      <QueryClientProvider client={createQueryClient()}>
        {question.kind === "review" ? (
          <ReviewCard sessionId="s" question={question} />
        ) : (
          <QuestionCard sessionId="s" question={question} workspace="/home/ada/src/shop" />
        )}
      </QueryClientProvider>,
    );
    nowMs += readMs;
  };
  return { ...fake, answers, draw };
}

test("the card takes the focus, so that Enter allows once", async () => {
  const { draw, answers, user } = await drawn();
  draw();
  expect(document.activeElement).toBe(screen.getByRole("button", { name: /Allow once/ }));
  await user.keyboard("{Enter}");
  expect(answers).toEqual([{ allow: true, scope: "once", wide: false, text: "", cites: [] }]);
});

test("the card leaves the focus to a user who is writing", async () => {
  const { draw, answers, user } = await drawn();
  const field = screen.getByLabelText("elsewhere");
  await user.click(field);
  await user.keyboard("wait, let me");
  draw();
  expect(document.activeElement).toBe(field);
  await user.keyboard("y{Enter}");
  expect(answers).toEqual([]);
});

test("no key that was pressed before the card could be read answers it", async () => {
  const { draw, answers, user } = await drawn();
  draw(100);
  await user.keyboard("ysa{Enter} ");
  expect(answers).toEqual([]);
});

test("what is typed when a card appears goes to where it was typed", async () => {
  const { draw, answers, user } = await drawn();
  const field = screen.getByLabelText<HTMLInputElement>("elsewhere");
  await user.click(field);
  draw(100);
  expect(document.activeElement).not.toBe(field);
  await user.keyboard("yes, and");
  expect(field.value).toBe("yes, and");
  expect(answers).toEqual([]);
});

test("a key that is held down does not answer the next card", async () => {
  const { draw, answers, user } = await drawn();
  draw();
  await user.keyboard("{y>3/}");
  expect(answers).toHaveLength(1);
});

test("a key reaches the card from a user who was writing", async () => {
  const { draw, answers, user } = await drawn();
  await user.click(screen.getByLabelText("elsewhere"));
  await user.keyboard("wait");
  draw();
  await user.keyboard("{Control>}j{/Control}");
  expect(document.activeElement).toBe(screen.getByRole("button", { name: /Allow once/ }));
  await user.keyboard("y");
  expect(answers).toHaveLength(1);
});

test("what would not be seen is named, a tab is an arrow, and nothing is cut", async () => {
  const path = `a${"b".repeat(300)}  c`;
  const { draw } = await drawn({
    title: `Write ${path}\u202e`,
    preview: "echo\tok\u202e",
    wider: [`every file in ${path}`],
  });
  draw();
  const card = screen.getByRole("alertdialog", { name: /U\+202E/ });
  expect(card.textContent).toContain(`Write ${path}U+202E`);
  expect(card.textContent).toContain("echo→   okU+202E");
  expect(card.textContent).toContain(`every file in ${path}`);
  expect(card.querySelector(".truncate, [class*=line-clamp]")).toBeNull();
});

test("nothing is allowed before all of it is on screen", async () => {
  const { draw, answers, user } = await drawn({
    title: "Run 901 lines",
    preview: `${"echo\n".repeat(900)}rm -rf .`,
  });
  draw();
  const card = screen.getByRole("alertdialog", { name: /Run 901 lines/ });
  expect(card.textContent).not.toContain("rm -rf");
  const allow = screen.getByRole<HTMLButtonElement>("button", { name: /Allow once/ });
  expect(allow.disabled).toBe(true);
  const showAll = screen.getByRole("button", { name: "Show all" });
  expect(document.activeElement).toBe(showAll);
  await user.keyboard("ysa");
  await user.click(allow);
  expect(answers).toEqual([]);
  showAll.focus();
  await user.keyboard("{Enter}");
  expect(card.textContent).toContain("rm -rf .");
  expect(document.activeElement?.tagName).toBe("PRE");
  expect(answers).toEqual([]);
  await user.keyboard("y");
  expect(answers).toHaveLength(1);
});

test("what is too long to be shown at once can be refused", async () => {
  const { draw, answers, user } = await drawn({ preview: "echo\n".repeat(900) });
  draw();
  await user.keyboard("n{Enter}");
  expect(answers).toHaveLength(1);
  expect(answers[0]?.allow).toBe(false);
});

test("keys say for how long and how wide", async () => {
  const { draw, answers, user } = await drawn();
  draw();
  await user.keyboard("xs");
  expect(answers).toEqual([{ allow: true, scope: "session", wide: true, text: "", cites: [] }]);
});

test("a question is answered once", async () => {
  const { draw, answers, user } = await drawn();
  draw();
  await user.keyboard("yys");
  expect(answers).toHaveLength(1);
});

test("no can have a reason, and is sent only when it is confirmed", async () => {
  const { draw, answers, user } = await drawn();
  draw();
  await user.keyboard("n");
  await waitFor(() =>
    expect(document.activeElement).toBe(screen.getByLabelText("Reason for the model")),
  );
  await user.keyboard("use make instead");
  expect(answers).toEqual([]);
  await user.keyboard("{Enter}");
  expect(answers).toEqual([
    { allow: false, scope: "once", wide: false, text: "use make instead", cites: [] },
  ]);
});

test("Escape takes a no back", async () => {
  const { draw, answers, user } = await drawn();
  draw();
  await user.keyboard("n{Escape}");
  expect(screen.getByRole("button", { name: /Deny/ })).toBeTruthy();
  await user.keyboard("y");
  expect(answers).toEqual([{ allow: true, scope: "once", wide: false, text: "", cites: [] }]);
});

test("a risk is shown, and nothing is remembered of it", async () => {
  const { draw } = await drawn({ risk: "it leaves the workspace" });
  draw();
  const card = screen.getByRole("alertdialog", { name: /Run go test/ });
  expect(card.textContent).toContain("it leaves the workspace");
  expect(screen.queryByRole("button", { name: /Always/ })).toBeNull();
  expect(screen.queryByRole("radio")).toBeNull();
});

test("an answer that came too late is no error to a person", async () => {
  const { draw, bindings, user } = await drawn();
  bindings.AnswerRun = async () => {
    throw { code: "conflict", message: "this question has been answered already" };
  };
  draw();
  await user.keyboard("y");
  await act(() => new Promise((wake) => setTimeout(wake, 20)));
  expect(screen.queryByText(/Could not send the answer/)).toBeNull();
});

test("a review continues by Enter, with words or without, and stops by Q", async () => {
  const review = await drawn({ kind: "review" });
  review.draw();
  await review.user.keyboard("{Enter}");
  expect(review.answers).toEqual([
    { allow: true, scope: "once", wide: false, text: "", cites: [] },
  ]);
});

test("text entered in a review is sent with it", async () => {
  const { draw, answers, user } = await drawn({ kind: "review" });
  draw();
  await user.click(screen.getByLabelText(/Add a message/));
  await user.keyboard("shorter, please{Enter}");
  expect(answers).toEqual([
    { allow: true, scope: "once", wide: false, text: "shorter, please", cites: [] },
  ]);
});

test("a review is stopped by Q", async () => {
  const { draw, answers, user } = await drawn({ kind: "review" });
  draw();
  await user.keyboard("q");
  expect(answers).toEqual([{ allow: false, scope: "once", wide: false, text: "", cites: [] }]);
});
