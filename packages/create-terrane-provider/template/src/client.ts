import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { NotFoundError } from '@terrane/provider/sdk';

/** The configurable content of an item. */
export interface ItemContent {
  readonly name: string;
  readonly text: string;
  readonly tags: Readonly<Record<string, string>>;
}

/** An item, as the service returns it. */
export interface Item extends ItemContent {
  readonly id: string;
  /** increases with each change */
  readonly revision: number;
}

/** A client that stores each item as a JSON file. Replace it with the client of your API. */
export class ExampleCloudClient {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  async create(content: ItemContent): Promise<Item> {
    await mkdir(this.#directory, { recursive: true });
    return await this.#write({ ...content, id: randomUUID(), revision: 1 });
  }

  /** @throws NotFoundError */
  async read(id: string): Promise<Item> {
    try {
      return JSON.parse(await readFile(this.#path(id), 'utf8')) as Item;
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
        throw new NotFoundError({ message: `There is no item ${id}.` });
      }
      throw error;
    }
  }

  /** @throws NotFoundError */
  async update(id: string, content: ItemContent): Promise<Item> {
    const { revision } = await this.read(id);
    return await this.#write({ ...content, id, revision: revision + 1 });
  }

  async delete(id: string): Promise<void> {
    await rm(this.#path(id), { force: true });
  }

  /** Returns all items, by name. */
  async list(): Promise<readonly Item[]> {
    await mkdir(this.#directory, { recursive: true });
    const files = (await readdir(this.#directory)).filter((file) => file.endsWith('.json'));
    const items = await Promise.all(files.map((file) => this.read(file.slice(0, -5))));
    return items.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  async #write(item: Item): Promise<Item> {
    await writeFile(this.#path(item.id), JSON.stringify(item));
    return item;
  }

  #path(id: string): string {
    return join(this.#directory, `${id.replaceAll(/[^\w-]/g, '_')}.json`);
  }
}
