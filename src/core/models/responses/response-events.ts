import { UpstreamBrokeOff } from '../upstream/upstream-errors';
import { saidByModel } from '../said-by-model';
import { readChunk } from '../streams/read-chunk';
import { ownEvent, type ServerSentEvent } from '../streams/server-sent-event';
import { asResponseUsage } from '../use/reported-use';
import { jsonField, type JsonObject } from '../../../infrastructure/json/json-object';
import { OutputWriter } from './output-writer';
import type { ResponseObject, ResponseRequest, ResponseUsage } from './response-object';
import { lastItemStatus, responseOutcome } from './response-outcome';
import { createdAt, type NewId, responseShell } from './response-shell';

/** Turns the chunks of one streamed chat into the events of a streamed response. */
export class ResponseEvents {
  private pending: ServerSentEvent[] = [];
  private nextNumber = 0;
  private shell: ResponseObject | null = null;
  private finishReason: string | null = null;
  private usage: ResponseUsage | null = null;
  private readonly output: OutputWriter;

  /**
   * @param request as the client sent it, because the response repeats its parameters
   * @param stream the model to name where the chunks name none, and the provider to name in errors
   */
  constructor(
    private readonly request: ResponseRequest,
    private readonly stream: { readonly model: string; readonly provider: string },
    private readonly newId: NewId,
  ) {
    this.output = new OutputWriter((type, fields) => this.emit(type, fields), newId);
  }

  /** Whether the chat said that its answer is complete. */
  get isFinished(): boolean {
    return this.finishReason !== null;
  }

  /**
   * The events for one chunk of the chat. Only the first choice is read, because a response has only one.
   *
   * @throws UpstreamBrokeOff for a chunk that adds to a function call which has ended
   */
  take(chunk: JsonObject): ServerSentEvent[] {
    if (!this.shell) {
      this.begin(chunk);
    }
    const { usage, choices } = readChunk(chunk);
    this.usage = asResponseUsage(usage) ?? this.usage;
    const choice = choices.find(({ index }) => index === 0);
    if (choice) {
      this.takeDelta(choice.json.delta, choice.json.logprobs);
      this.finishReason = choice.finishReason ?? this.finishReason;
    }
    return this.emitted();
  }

  /** The event for an error that the provider sent in the middle of its answer. */
  fail(error: unknown): ServerSentEvent[] {
    const [code, message] = [jsonField(error, 'code'), jsonField(error, 'message') ?? error];
    this.emit('error', {
      code: typeof code === 'string' || typeof code === 'number' ? String(code) : null,
      message: typeof message === 'string' ? message : 'The model broke off its answer.',
      param: null,
    });
    return this.emitted();
  }

  /** The events that end the response. */
  end(): ServerSentEvent[] {
    const shell = this.shell ?? this.begin({});
    const outcome = responseOutcome(this.finishReason);
    this.output.end(lastItemStatus(outcome));
    const response = { ...shell, ...outcome, output: this.output.items, usage: this.usage };
    this.emit(`response.${outcome.status}`, { response });
    return this.emitted();
  }

  private begin(chunk: unknown): ResponseObject {
    const model = jsonField(chunk, 'model');
    const shell = responseShell(this.request, {
      id: `resp_${this.newId()}`,
      createdAt: createdAt(chunk),
      model: typeof model === 'string' && model !== '' ? model : this.stream.model,
    });
    this.shell = shell;
    this.emit('response.created', { response: shell });
    this.emit('response.in_progress', { response: shell });
    return shell;
  }

  private takeDelta(delta: unknown, logprobs: unknown): void {
    const { text, refusal, thought, calls } = saidByModel(delta);
    if (thought) {
      this.output.append('reasoning_text', thought);
    }
    if (text) {
      const tokens = jsonField(logprobs, 'content');
      this.output.append('output_text', text, Array.isArray(tokens) ? tokens : []);
    }
    if (refusal) {
      this.output.append('refusal', refusal);
    }
    for (const call of calls) {
      if (!this.output.call(call)) {
        throw new UpstreamBrokeOff(502, this.stream.provider, 'went back to a function call that had ended');
      }
    }
  }

  /** The event is written as JSON at once, because the objects in its fields go on growing. */
  private emit(type: string, fields: Record<string, unknown>): void {
    const data = JSON.stringify({ type, ...fields, sequence_number: this.nextNumber++ });
    this.pending.push(ownEvent(data, type));
  }

  private emitted(): ServerSentEvent[] {
    const events = this.pending;
    this.pending = [];
    return events;
  }
}
