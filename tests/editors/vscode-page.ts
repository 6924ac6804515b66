import type { Locator, Page } from 'playwright-core';

/** The window of a VS Code in a browser. */
export class VsCodePage {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** Opens a file of the explorer. */
  async open(name: string): Promise<void> {
    await this.page.locator(`.explorer-folders-view [aria-label="${name}"]`).first().dblclick();
    await this.page.locator(`.tab[data-resource-name="${name}"]`).waitFor();
  }

  /** Runs a command of the palette. */
  async command(title: string): Promise<void> {
    await this.page.keyboard.press('F1');
    await this.page.locator('.quick-input-widget input').first().fill(`>${title}`);
    await this.page
      .locator('.quick-input-list .monaco-list-row', { hasText: title })
      .first()
      .click();
  }

  /** Moves the cursor to a line and column, which begin at 1. */
  async goTo(line: number, column: number): Promise<void> {
    await this.page.keyboard.press('Control+g');
    await this.page.locator('.quick-input-widget input').first().fill(`:${line}:${column}`);
    await this.page.keyboard.press('Enter');
  }

  /** Returns the lines of the editor with a text. */
  line(text: string): Locator {
    return this.page.locator('.editor-instance .view-line', { hasText: text });
  }

  /** Returns the text of the editor, with inlay hints. */
  async editorText(): Promise<string> {
    return await this.page.evaluate(() => {
      const { document } = globalThis as unknown as {
        readonly document: {
          querySelectorAll(
            selector: string,
          ): Iterable<{ readonly textContent: string; readonly style: { readonly top: string } }>;
        };
      };
      return [...document.querySelectorAll('.editor-instance .view-line')]
        .sort((a, b) => Number.parseFloat(a.style.top) - Number.parseFloat(b.style.top))
        .map(({ textContent }) => textContent.replaceAll('\u00a0', ' '))
        .join('\n');
    });
  }

  /** Waits for proposals with a text at the cursor, and asks again until the server is ready. */
  async proposals(text: string): Promise<Locator> {
    const item = this.page.locator('.suggest-widget.visible .monaco-list-row', { hasText: text });
    // Each attempt waits longer, because the next one discards the answer that it waits for.
    for (let attempt = 1; attempt <= 15 && (await item.count()) === 0; attempt++) {
      await this.page.keyboard.press('Escape');
      await this.page.keyboard.press('Control+Space');
      await item
        .first()
        .waitFor({ timeout: 2_000 * attempt })
        .catch(() => undefined);
    }
    return item;
  }
}
