import { statementsOf } from './distribute';

describe('the statements of a text', () => {
  it('end at semicolons, but at none within a body, a string, a name or a comment', () => {
    const body = "CREATE FUNCTION f() RETURNS text LANGUAGE plpgsql AS $$ BEGIN RETURN ';'; END $$";
    const nested = 'DO $do$ BEGIN EXECUTE $$SELECT 1; SELECT 2$$; END $do$';
    const named = `SELECT ';''; x' AS "a;b" -- not here; nor here\n/* ; */`;
    expect(statementsOf(`-- Says; what\n${body};\n${nested} ; ${named};\n-- The end;\n`)).toEqual([
      `-- Says; what\n${body}`,
      `\n${nested} `,
      ` ${named}`,
    ]);
  });

  it('are the whole text where it is one, with its parameters', () => {
    expect(statementsOf('SELECT $1, $2')).toEqual(['SELECT $1, $2']);
  });
});
