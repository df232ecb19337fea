import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { noChoice } from "@/lib/session/choice";
import { composerOptions } from "@/testing/fake-run";
import { renderApp } from "@/testing/render-app";
import { LimitsPopover } from "./limits-popover";

test("shows the limits of the last step where nothing is chosen", async () => {
  const options = { ...composerOptions(""), budgetUsd: "1.50", maxSteps: 30, effort: "high" };
  const onChange = vi.fn();
  await renderApp(
    <LimitsPopover choice={noChoice} info={undefined} options={options} onChange={onChange} />,
  );
  await userEvent.click(screen.getByRole("button", { name: "Limits" }));
  const budget = await screen.findByRole("textbox", { name: "Budget in dollars" });
  expect(budget).toHaveProperty("placeholder", "1.50");
  expect(screen.getByRole("textbox", { name: "Maximum steps of a run" })).toHaveProperty(
    "placeholder",
    "30",
  );
  expect(screen.getByRole("option", { name: "High (as before)" })).toHaveProperty("selected", true);
  await userEvent.type(budget, "2");
  expect(onChange).toHaveBeenCalledWith({ budgetUsd: "2" });
});
