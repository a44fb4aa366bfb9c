import type { Oas3Rule } from '@redocly/openapi-core';

/**
 * The bundler names a component after the last part of its $ref, so a $ref into the middle of a component would publish
 * a name that nobody chose. Only in a schema may other keywords stand beside a $ref: elsewhere many readers ignore
 * them.
 */
export const wholeComponents: Oas3Rule = () => ({
  ref(node, context) {
    const { location, type } = context;
    const [, fragment = ''] = node.$ref.split('#');
    if (type.name !== 'PathItem' && fragment.split('/').length !== 2) {
      context.report({ message: 'only whole components can be referred to', location });
    }
    if (type.name !== 'Schema' && Object.keys(node).length > 1) {
      context.report({ message: 'only a schema may say more beside its $ref', location });
    }
  },
});
