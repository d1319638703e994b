// What devices are called: as the clinic calls them, or as they call themselves. Those of one name are numbered, so that
// each has a name of its own; a number stays with its device.

interface Named {
  readonly id: string;
  readonly name: string;
  readonly ownName?: string;
}

export class DeviceNames {
  /** By kind, who got which number; the first is shown without it. */
  readonly #numbers = new Map<string, Map<string, number>>();

  /** As the clinic calls them, by id. */
  readonly #own = new Map<string, string>();

  /** @param name undefined: it is called as it calls itself */
  setOwn(id: string, name: string | undefined): void {
    if (name === undefined) this.#own.delete(id);
    else this.#own.set(id, name);
  }

  /** @returns the same devices, each with a name that none of the others has */
  numbered<T extends Named>(devices: readonly T[]): T[] {
    const given = new Set(devices.flatMap(({ id }) => this.#own.get(id) ?? []));
    return devices.map((each) => {
      const ownName = this.#own.get(each.id);
      const device = ownName === undefined ? each : { ...each, name: ownName, ownName };
      const number = this.#numberOf(device, given);
      return number === 1 ? device : { ...device, name: `${device.name} ${number}` };
    });
  }

  /** @param given names that the clinic has given: with a number, none may become one of them */
  #numberOf({ id, name }: Named, given: ReadonlySet<string>): number {
    const numbers = this.#numbers.get(name) ?? new Map<string, number>();
    this.#numbers.set(name, numbers);
    const isFree = (number: number): boolean => number === 1 || !given.has(`${name} ${number}`);
    const known = numbers.get(id);
    if (known !== undefined && isFree(known)) return known;
    const taken = new Set(numbers.values());
    let number = 1;
    while (taken.has(number) || !isFree(number)) number++;
    numbers.set(id, number);
    return number;
  }

  /** It does not come back: its numbers may be given again. */
  forget(id: string): void {
    for (const numbers of this.#numbers.values()) numbers.delete(id);
  }
}
