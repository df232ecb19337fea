import { QueryClientProvider } from "@tanstack/react-query";
import { render } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Tooltip } from "radix-ui";
import type { ReactNode } from "react";
import { Toaster } from "@/components/feedback/toaster";
import { connectEvents } from "@/lib/api/api";
import { connectChanges, createQueryClient } from "@/lib/api/query";
import { connectKeys } from "@/lib/keys/commands";
import { connectRuns } from "@/lib/run/runs";
import { loadWindowState } from "@/lib/store/window-state";
import { type Fake, type FakeOptions, installFake } from "./fake-api";

/** Draws a part of the window on a fake, with what every part needs around it. */
export async function renderApp(
  part: ReactNode,
  options?: FakeOptions,
): Promise<Fake & { user: ReturnType<typeof userEvent.setup> }> {
  const fake = installFake(options);
  connectEvents();
  // What the test before remembered is not there in a new fake.
  await loadWindowState();
  const client = createQueryClient();
  connectChanges(client);
  connectRuns();
  connectKeys();
  render(
    <QueryClientProvider client={client}>
      <Tooltip.Provider>
        {part}
        <Toaster />
      </Tooltip.Provider>
    </QueryClientProvider>,
  );
  return { ...fake, user: userEvent.setup() };
}
