import { jsonField } from '../../../infrastructure/json/json-object';
import type { FunctionCallItem, ItemStatus, MessageItem, OutputItem } from './response-object';
import type { MessagePart, ReasoningItem, ReasoningPart } from './response-object';
import type { NewId } from './response-shell';
import { functionArguments, functionCallItem, messageItem, reasoningItem } from './to-response';

type Part = MessagePart | ReasoningPart;
/** Sends an event of this type with these fields. */
export type Emit = (type: string, fields: Record<string, unknown>) => void;

/**
 * Builds the output of a streamed response and emits an event for every change of it. Items, and the parts of an item,
 * come one after another: each is begun, filled and ended before the next begins.
 */
export class OutputWriter {
  readonly items: OutputItem[] = [];
  private open: OutputItem | null = null;
  private openPart: Part | null = null;
  /** The index that the chat gives to the open function call. */
  private callIndex: unknown = null;
  private readonly endedCalls = new Set<unknown>();

  constructor(
    private readonly emit: Emit,
    private readonly newId: NewId,
  ) {}

  /** Adds text to the open part of this type; begins such a part where none is open. */
  append(type: Part['type'], delta: string, logprobs: readonly unknown[] = []): void {
    const item = this.itemFor(type);
    const part = this.openPart?.type === type ? this.openPart : this.beginPart(item, type);
    const at = this.partPlace(item);
    if (part.type === 'refusal') {
      part.refusal += delta;
      this.emit('response.refusal.delta', { ...at, delta });
      return;
    }
    part.text += delta;
    if (part.type === 'reasoning_text') {
      this.emit('response.reasoning_text.delta', { ...at, delta });
      return;
    }
    part.logprobs.push(...logprobs);
    this.emit('response.output_text.delta', { ...at, delta, logprobs });
  }

  /**
   * Adds a piece of a function call to the open call, or begins a new call.
   *
   * @returns false for a piece of a call that has ended, because no event can add to it any more
   */
  call(part: unknown): boolean {
    const index = jsonField(part, 'index') ?? 0;
    if (this.open?.type === 'function_call' && this.isOf(this.open, index, jsonField(part, 'id'))) {
      this.addArguments(this.open, functionArguments(part));
      return true;
    }
    if (this.endedCalls.has(index) && !jsonField(part, 'id')) {
      return false;
    }
    this.end('completed');
    this.callIndex = index;
    const item = functionCallItem(this.newId(), part);
    const given = item.arguments;
    this.begin({ ...item, arguments: '' });
    this.addArguments(this.open as unknown as FunctionCallItem, given);
    return true;
  }

  /** Ends the open item, if any. */
  end(status: ItemStatus): void {
    const item = this.open;
    if (!item) {
      return;
    }
    this.endPart(item);
    const place = this.place(item);
    if (item.type === 'function_call') {
      this.endedCalls.add(this.callIndex);
      const { name, arguments: text } = item;
      this.emit('response.function_call_arguments.done', { ...place, name, arguments: text });
    }
    item.status = status;
    this.open = null;
    this.emit('response.output_item.done', { output_index: place.output_index, item });
  }

  /** Some providers give every call the same index, so a piece with another id belongs to another call. */
  private isOf(open: FunctionCallItem, index: unknown, id: unknown): boolean {
    return index === this.callIndex && (!id || id === open.call_id);
  }

  private addArguments(item: FunctionCallItem, delta: string): void {
    if (delta === '') {
      return;
    }
    item.arguments += delta;
    this.emit('response.function_call_arguments.delta', { ...this.place(item), delta });
  }

  private itemFor(type: Part['type']): MessageItem | ReasoningItem {
    const itemType = type === 'reasoning_text' ? 'reasoning' : 'message';
    if (this.open?.type === itemType) {
      return this.open;
    }
    this.end('completed');
    const item = itemType === 'reasoning' ? reasoningItem(this.newId()) : messageItem(this.newId());
    this.begin(item);
    return item;
  }

  private begin(item: OutputItem): void {
    this.open = item;
    this.items.push(item);
    this.emit('response.output_item.added', { output_index: this.items.length - 1, item });
  }

  private beginPart(item: MessageItem | ReasoningItem, type: Part['type']): Part {
    this.endPart(item);
    const part = emptyPart(type);
    (item.content as Part[]).push(part);
    this.openPart = part;
    this.emit('response.content_part.added', { ...this.partPlace(item), part });
    return part;
  }

  private endPart(item: OutputItem): void {
    const part = this.openPart;
    if (!part || item.type === 'function_call') {
      return;
    }
    const at = this.partPlace(item);
    if (part.type === 'refusal') {
      this.emit('response.refusal.done', { ...at, refusal: part.refusal });
    } else if (part.type === 'reasoning_text') {
      this.emit('response.reasoning_text.done', { ...at, text: part.text });
    } else {
      this.emit('response.output_text.done', { ...at, text: part.text, logprobs: part.logprobs });
    }
    this.openPart = null;
    this.emit('response.content_part.done', { ...at, part });
  }

  private place(item: OutputItem): { item_id: string; output_index: number } {
    return { item_id: item.id, output_index: this.items.length - 1 };
  }

  private partPlace(item: MessageItem | ReasoningItem) {
    return { ...this.place(item), content_index: item.content.length - 1 };
  }
}

function emptyPart(type: Part['type']): Part {
  switch (type) {
    case 'output_text':
      return { type, annotations: [], logprobs: [], text: '' };
    case 'refusal':
      return { type, refusal: '' };
    case 'reasoning_text':
      return { type, text: '' };
  }
}
