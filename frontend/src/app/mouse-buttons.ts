import { runCommand } from "@/lib/keys/commands";

const commands: Record<number, string> = { 3: "go-back", 4: "go-forward" };

/** Lets the buttons at the side of a mouse go back and forward; the web view's own history has nothing to go to. */
export function connectMouseButtons(): () => void {
  const listener = (event: MouseEvent) => {
    const command = commands[event.button];
    if (!command) return;
    event.preventDefault();
    if (event.type === "mouseup") runCommand(command);
  };
  window.addEventListener("mousedown", listener);
  window.addEventListener("mouseup", listener);
  return () => {
    window.removeEventListener("mousedown", listener);
    window.removeEventListener("mouseup", listener);
  };
}
