// The shape of a value as JSON carries it: the type of each field, without what is in it.

export type Shape =
  | { type: "string" | "number" | "boolean" | "null" | "nothing" }
  | { type: "list"; of: Shape | undefined }
  | { type: "object"; fields: Record<string, Shape> };

/** Returns the shape of a value. The elements of a list share one shape, which has the fields of all of them. */
export function shapeOf(value: unknown): Shape {
  if (value === undefined) return { type: "nothing" };
  if (value === null) return { type: "null" };
  if (Array.isArray(value))
    return { type: "list", of: value.map(shapeOf).reduce<Shape | undefined>(merged, undefined) };
  if (typeof value === "object")
    return {
      type: "object",
      fields: Object.fromEntries(
        Object.entries(value)
          .filter(([, field]) => field !== undefined)
          .map(([name, field]) => [name, shapeOf(field)]),
      ),
    };
  return { type: typeof value as "string" | "number" | "boolean" };
}

function merged(a: Shape | undefined, b: Shape): Shape {
  if (!a || a.type === "null") return b;
  if (b.type === "null") return a;
  if (a.type === "list" && b.type === "list")
    return { type: "list", of: a.of && b.of ? merged(a.of, b.of) : (a.of ?? b.of) };
  if (a.type !== "object" || b.type !== "object") return b;
  const fields = { ...a.fields };
  for (const [name, shape] of Object.entries(b.fields)) fields[name] = merged(fields[name], shape);
  return { type: "object", fields };
}

/**
 * Returns how the shape of the fake's value differs from that of Go's, one line per field. A field that is optional in the
 * generated types may be missing or null on one side. An empty list has no shape to compare.
 */
export function differences(
  real: Shape,
  fake: Shape,
  optional: ReadonlySet<string>,
  at = "",
): string[] {
  if (real.type !== fake.type) return [`${at || "the value"}: Go ${real.type}, fake ${fake.type}`];
  if (real.type === "list" && fake.type === "list")
    return real.of && fake.of ? differences(real.of, fake.of, optional, `${at}[]`) : [];
  if (real.type !== "object" || fake.type !== "object") return [];
  const names = new Set([...Object.keys(real.fields), ...Object.keys(fake.fields)]);
  return [...names].flatMap((name) => {
    const [a, b] = [real.fields[name], fake.fields[name]];
    const path = `${at}.${name}`;
    if (optional.has(name) && (isAbsent(a) || isAbsent(b))) return [];
    if (a && b) return differences(a, b, optional, path);
    return [`${path}: only ${a ? "Go" : "the fake"} has it`];
  });
}

function isAbsent(shape: Shape | undefined): boolean {
  return shape === undefined || shape.type === "null";
}

/** Returns the names of the optional fields in generated types. */
export function optionalFields(types: string): Set<string> {
  return new Set([...types.matchAll(/^\s+(\w+)\?:/gm)].map(([, name]) => name ?? ""));
}
