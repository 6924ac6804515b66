/** The form that signatures have times in: `20240102T030405Z`. */
export function amzDate(date: Date): string {
  return date.toISOString().replace(/[-:]|\.\d+/g, '');
}
