import { useQuery } from "@tanstack/react-query";
import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { api } from "@/lib/api/api";
import { keys } from "@/lib/api/query";
import { renderApp } from "@/testing/render-app";
import { HibernateAfter } from "./hibernate-after";

function Setting() {
  const { data } = useQuery({ queryKey: keys.settings(), queryFn: api.getSettings });
  return <HibernateAfter settings={data} />;
}

test("a session that waits hibernates after the time that the user chose", async () => {
  const { user, calls } = await renderApp(<Setting />);
  const never = await screen.findByRole<HTMLInputElement>("radio", { name: "Never" });
  expect(never.checked).toBe(true);
  await user.click(screen.getByRole("radio", { name: "30 minutes" }));
  await waitFor(() =>
    expect(calls.findLast(({ name }) => name === "SetSettings")?.args[0]).toEqual({
      theme: "system",
      zoomPercent: 100,
      autoLockMinutes: 15,
      hibernateAfterMinutes: 30,
    }),
  );
  await waitFor(() =>
    expect(screen.getByRole<HTMLInputElement>("radio", { name: "30 minutes" }).checked).toBe(true),
  );
});
