import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test } from "vitest";
import { sentRequest } from "@/lib/store/sent-request";
import { renderApp } from "@/testing/render-app";
import { SentDialog } from "./sent-dialog";

const id = "01930001-fake-7000-8000-000000000001";

afterEach(() => sentRequest.set(undefined));

test("shows the request that an answer resulted from, until it is closed", async () => {
  const { library } = await renderApp(<SentDialog />);
  const fake = library.open(id);
  expect(screen.queryByRole("dialog")).toBeNull();
  sentRequest.set({ sessionId: id, uid: fake.session.headUid });
  await screen.findByRole("dialog", { name: "What was sent to the model" });
  await screen.findByText("You are a careful engineer.");
  expect(screen.getByText("System prompt")).toBeDefined();
  expect(screen.queryByText("Prompt")).toBeNull(); // it is one of the messages
  await userEvent.keyboard("{Escape}");
  expect(screen.queryByRole("dialog")).toBeNull();
});

test("explains why an imported answer has no request", async () => {
  const { bindings, library } = await renderApp(<SentDialog />);
  bindings.GetSent = () =>
    Promise.reject({
      code: "not_found",
      message: "no request is recorded for this message",
      hint: "",
    });
  sentRequest.set({ sessionId: id, uid: library.open(id).session.headUid });
  await screen.findByText(/no request is recorded for this message/i);
});
