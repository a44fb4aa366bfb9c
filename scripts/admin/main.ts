import { Command, CommanderError } from 'commander';
import { CommandFailure, EXIT, type ExitCode } from './failures';
import { accountCommands } from './accounts';
import { paymentCommands } from './payments';
import { recordCommands } from './records';
import { printable, type Terminal } from './terminal';
import { upgradeCommands } from './upgrades';
import { userCommands } from './users';
import { webhookCommands } from './webhooks';

const CREDENTIALS = `
Credentials are taken from --token, --credentials, ADMIN_TOKEN, ADMIN_EMAIL with ADMIN_PASSWORD or ADMIN_PASSWORD_FILE, or the file
admin.json that an embedded service keeps in DATA_DIR (.data). Passwords have no option, because a shell remembers its commands.

Ends with 0 when it was done, 1 when the service refused it, 2 for a wrong command, 3 for refused credentials, 4 when the
service can't be reached, 5 when it was not confirmed.`;

/** The commands of operators. Each calls the API as any client may: what an admin may do is decided there. */
export function programOf(terminal: Terminal): Command {
  const program = new Command('admin')
    .description('What operators do, over the API of a running service.')
    .option(
      '--url <address>',
      'the service (ADMIN_URL; default http://127.0.0.1:3000, or what PORT and HOST say)',
    )
    .option('--credentials <file>', 'a JSON file with email and password')
    .option('--token <token>', 'an account token of an admin; ADMIN_TOKEN keeps it out of the history')
    .option('--plain-http', 'send credentials by plain http to another machine')
    .option('--json', "print the service's answer as JSON")
    .addHelpText('after', CREDENTIALS);
  const commands = [
    userCommands(terminal),
    upgradeCommands(terminal),
    paymentCommands(terminal),
    webhookCommands(terminal),
    accountCommands(terminal),
    ...recordCommands(terminal),
  ];
  for (const command of commands) {
    program.addCommand(command);
  }
  for (const command of withDescendants(program)) {
    command.exitOverride().configureOutput({
      writeOut: (text) => terminal.output.write(text),
      writeErr: (text) => terminal.errors.write(text),
    });
  }
  return program;
}

/** Runs one command and returns what the process is to end with. */
export async function run(terminal: Terminal, argv: readonly string[]): Promise<ExitCode> {
  try {
    await programOf(terminal).parseAsync(argv, { from: 'user' });
    return EXIT.done;
  } catch (error) {
    if (error instanceof CommanderError) {
      // It has said already what is wrong; help that was asked for is no failure.
      return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    }
    if (error instanceof CommandFailure) {
      terminal.errors.write(`${error.message.split('\n').map(printable).join('\n')}\n`);
      return error.exitCode;
    }
    throw error;
  }
}

function withDescendants(command: Command): Command[] {
  return [command, ...command.commands.flatMap(withDescendants)];
}

/** Whoever reads what is printed may have read enough, as `head` has: the command still does all of what it was asked. */
function outliveReaders(terminal: Terminal): void {
  for (const stream of [terminal.output, terminal.errors]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') {
        throw error;
      }
    });
  }
}

if (require.main === module) {
  const terminal = { input: process.stdin, output: process.stdout, errors: process.stderr };
  outliveReaders(terminal);
  void run(terminal, process.argv.slice(2)).then((exitCode) => {
    process.exitCode = exitCode;
  });
}
