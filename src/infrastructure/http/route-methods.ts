interface Route {
  /** The segments of the path; null for a parameter, which any segment fits. */
  segments: readonly (string | null)[];
  /** Whether anything may follow the segments. */
  isOpen: boolean;
  methods: Set<string>;
}

/** The order in which methods are named. */
const NAMED_FIRST = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/**
 * Which methods the routes of a path have. Fastify's router knows that too, but does not tell: it finds routes by their
 * patterns, and requests by path and method together.
 */
export class RouteMethods {
  private readonly routes = new Map<string, Route>();

  /** @param pattern the path of a route in Fastify's form, such as `/api/keys/:key_id` or `/docs/*` */
  add(pattern: string, methods: string | readonly string[]): void {
    let route = this.routes.get(pattern);
    if (!route) {
      const isOpen = pattern.endsWith('*');
      const segments = segmentsOf(isOpen ? pattern.slice(0, -1) : pattern).map((segment) =>
        segment.includes(':') ? null : segment,
      );
      route = { segments, isOpen, methods: new Set() };
      this.routes.set(pattern, route);
    }
    for (const method of [methods].flat()) {
      route.methods.add(method);
    }
  }

  /**
   * The methods of a path, OPTIONS included, which every path has.
   * @param url the request's target, which may have a query
   * @returns none for a path that no route has
   */
  of(url: string): readonly string[] {
    const segments = segmentsOf(decoded(url.split(/[?#;]/, 1)[0] ?? ''));
    const methods = new Set<string>();
    for (const route of this.routes.values()) {
      if (fits(route, segments)) {
        route.methods.forEach((method) => methods.add(method));
      }
    }
    if (methods.size === 0) {
      return [];
    }
    methods.delete('OPTIONS');
    const others = [...methods].filter((method) => !NAMED_FIRST.includes(method));
    return [...NAMED_FIRST.filter((method) => methods.has(method)), ...others, 'OPTIONS'];
  }
}

/** A slash at the end makes no difference, as for the router. */
function segmentsOf(path: string): string[] {
  return path.replace(/^\//, '').replace(/\/$/, '').split('/');
}

function fits({ segments, isOpen }: Route, path: readonly string[]): boolean {
  const isLongEnough = isOpen ? path.length >= segments.length : path.length === segments.length;
  return (
    isLongEnough &&
    segments.every((segment, index) =>
      segment === null ? path[index] !== '' : segment === path[index] || (isOpen && segment === ''),
    )
  );
}

/** Malformed paths don't come here: Fastify answers them before. */
function decoded(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}
