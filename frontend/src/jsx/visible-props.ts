import type { ElementType, ReactNode } from "react";
import { visible } from "@/lib/format/visible";

type Props = Record<string, unknown>;

/** What assistive technology reads of any element, whatever component passes it on. */
const spoken = ["aria-label", "aria-description", "aria-valuetext", "aria-roledescription"];

/** What is shown of an element of the page. Of a component they may mean something else, such as the text of a field. */
const shownOfElements = [...spoken, "title", "alt", "placeholder"];

/** Returns the props with the characters that hide or reorder text made visible in all that is shown of them. Values of fields stay. */
export function visibleProps(type: ElementType, props: Props): Props {
  let out = props;
  const replace = (name: string, value: unknown) => {
    if (out === props) out = { ...props };
    out[name] = value;
  };
  for (const name of typeof type === "string" ? shownOfElements : spoken) {
    const value = props[name];
    if (typeof value !== "string") continue;
    const shown = visible(value);
    if (shown !== value) replace(name, shown);
  }
  const children = visibleChildren(props.children as ReactNode);
  if (children !== props.children) replace("children", children);
  return out;
}

function visibleChildren(children: ReactNode): ReactNode {
  if (typeof children === "string") return visible(children);
  if (!Array.isArray(children)) return children;
  const shown = children.map(visibleChildren);
  return shown.some((child, at) => child !== children[at]) ? shown : children;
}
