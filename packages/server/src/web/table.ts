import { type Html, html } from './html.ts';

/** A table that scrolls within the page, by keyboard as well. Screen readers announce it by its label. */
export function scrollingTable(
  label: string,
  columns: readonly string[],
  rows: readonly Html[],
): Html {
  // The label differs from the heading of the section, which is a landmark, too.
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${label}, table">
    <table>
      <thead>
        <tr>
          ${columns.map((column) => html`<th scope="col">${column}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`;
}

/** A table, or a text if it has no rows. */
export function table(
  label: string,
  columns: readonly string[],
  rows: readonly Html[],
  empty: string,
): Html {
  return rows.length === 0 ? html`<p>${empty}</p>` : scrollingTable(label, columns, rows);
}
