import { pascal } from '../write-contract';

/** Which module each decorator is imported from; those that are not listed are ours. */
const CLASS_VALIDATOR = [
  'ArrayMaxSize',
  'ArrayMinSize',
  'ArrayUnique',
  'IsArray',
  'IsBoolean',
  'IsIn',
  'IsInt',
  'IsNumber',
  'IsObject',
  'IsString',
  'Matches',
  'Max',
  'Min',
];

/** The text of one tag's classes while it is being put together, with the imports that it turns out to need. */
export class DtoFile {
  private readonly imports = new Map<string, Set<string>>();
  private readonly classes: string[] = [];
  private usesTypes = false;

  constructor(
    readonly tag: string,
    /** The tag whose file has a class. */
    private readonly tagOf: ReadonlyMap<string, string>,
  ) {}

  /** The decorator as it is written, which is then imported. */
  decorator(name: string, ...parameters: (string | null)[]): string {
    this.import(CLASS_VALIDATOR.includes(name) ? 'class-validator' : constraintModule(name), name);
    return `@${name}(${parameters.filter((parameter) => parameter !== null).join(', ')})`;
  }

  /** Restricts a decorator to one kind of value. */
  where(kind: string): string {
    this.import(constraintModule('where'), 'where');
    return `where.${kind}`;
  }

  /** The name of another class, which is imported where its file is another one. */
  reference(name: string): string {
    const tag = this.tagOf.get(name);
    if (tag !== undefined && tag !== this.tag) {
      this.import(`./${tag}`, name);
    }
    return name;
  }

  /** The type that openapi-typescript derives from the same schema: the class must not differ from it. */
  documentType(name: string): string {
    this.usesTypes = true;
    return `types.${name}`;
  }

  add(text: string): void {
    this.classes.push(text);
  }

  text(): string {
    const imports = [...this.imports]
      .sort(([a], [b]) => (rank(a) < rank(b) ? -1 : 1))
      .map(([module, names]) => `import { ${[...names].sort().join(', ')} } from '${module}';`);
    const types = this.usesTypes ? [`import type * as types from '../types';`] : [];
    return `${[[...imports, ...types].join('\n'), ...this.classes].join('\n\n')}\n`;
  }

  private import(module: string, name: string): void {
    const names = this.imports.get(module) ?? new Set();
    this.imports.set(module, names.add(name));
  }
}

function constraintModule(name: string): string {
  return `../../src/contract/constraints/${pascal(name)
    .replaceAll(/(?!^)[A-Z]/g, '-$&')
    .toLowerCase()}`;
}

/** Packages before files, files above before those beside. */
function rank(module: string): string {
  return `${module.startsWith('../') ? 1 : module.startsWith('./') ? 2 : 0}${module}`;
}
