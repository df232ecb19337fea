import { screen, waitFor } from "@testing-library/react";
import { useState } from "react";
import { expect, test } from "vitest";
import { renderApp } from "@/testing/render-app";
import { Dialog } from "./dialog";

function Asked() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Ask
      </button>
      <Dialog open={open} onClose={() => setOpen(false)} title="Question">
        <button type="button" data-autofocus="">
          Answer
        </button>
      </Dialog>
    </>
  );
}

test("the focus returns to where it was", async () => {
  const { user } = await renderApp(<Asked />);
  await user.click(screen.getByRole("button", { name: "Ask" }));
  await waitFor(() => expect(document.activeElement?.textContent).toBe("Answer"));
  await user.keyboard("{Escape}");
  await waitFor(() => expect(document.activeElement?.textContent).toBe("Ask"));
});
