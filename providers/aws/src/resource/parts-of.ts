/** Splits an id that consists of several parts; another form is an error. */
export function partsOf(id: string, form: RegExp, complaint: string): readonly string[] {
  const [, ...parts] = form.exec(id) ?? [];
  if (parts.length === 0) throw new Error(complaint);
  return parts;
}
