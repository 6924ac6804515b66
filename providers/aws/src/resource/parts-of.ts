/** The parts of an id that is made of several; what is not of that form is an error that says so. */
export function partsOf(id: string, form: RegExp, complaint: string): readonly string[] {
  const [, ...parts] = form.exec(id) ?? [];
  if (parts.length === 0) throw new Error(complaint);
  return parts;
}
