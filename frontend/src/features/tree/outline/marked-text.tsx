/** A text with the first place of what is looked for marked; just the text where it is not in it. */
export function MarkedText({ text, find }: { text: string; find: string }) {
  const at = find === "" ? -1 : text.toLowerCase().indexOf(find.toLowerCase());
  if (at < 0) return text;
  return (
    <>
      {text.slice(0, at)}
      <mark className="rounded-[2px] bg-mark text-inherit">{text.slice(at, at + find.length)}</mark>
      {text.slice(at + find.length)}
    </>
  );
}
