import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { AnalyzeInputsCall } from '../../../generated/contract';
import type {
  AnalyzeInputsRequest,
  OmmAnalysis,
  OmmAnalyzedInput,
  OmmTextFacts,
} from '../../../generated/types';
import { Estimates } from '../../contract/estimates';
import type { ReadInput } from '../../core/models/multimodal/input';
import { InputFiles } from '../../core/models/multimodal/input-files';
import { namesOf } from '../../core/models/multimodal/judge-inputs';
import { withNamedRefusals } from '../../core/models/multimodal/named-refusals';
import { TextThreads } from '../../core/text/threads/text-threads';
import { FILE_KINDS, isImageKind } from '../../infrastructure/files/file-kinds';
import { FileReaders } from '../../infrastructure/files/file-readers';
import { documentFacts, imageFacts, textMeasures } from './analyzed-facts';
import { OmmEstimates } from './omm-estimates';
import { RuleAnswers } from './rule-answers';
import { shownEntities } from './shown-entities';

/** Measures inputs by rules alone. */
@Injectable()
export class AnalysisService implements OnModuleInit {
  constructor(
    private readonly estimates: Estimates,
    private readonly bounds: OmmEstimates,
    private readonly files: InputFiles,
    private readonly readers: FileReaders,
    private readonly threads: TextThreads,
    private readonly rules: RuleAnswers,
  ) {}

  onModuleInit(): void {
    this.estimates.register('analyzeInputs', ({ body, signal }) => {
      const { inputs, max_input_tokens: inputTokensMax, max_tokens } = body as AnalyzeInputsRequest;
      const outputTokensMax = max_tokens ?? null;
      const rest = { texts: [], model: null, needsModel: false };
      return this.bounds.estimate(
        { inputs, names: namesOf(inputs), inputTokensMax, outputTokensMax, ...rest },
        signal,
      );
    });
  }

  /** Throws what InputFiles.receive and FileReaders throw. */
  async analyze(call: AnalyzeInputsCall): Promise<OmmAnalysis> {
    const { body, signal } = call;
    return this.files.receive(body.inputs, namesOf(body.inputs), call, async (received) => {
      const read: ReadInput[] = [];
      for (const input of received) {
        read.push(await this.files.read(input, signal));
      }
      await this.bounds.judgeRead(read, body.max_input_tokens, signal);
      const results: OmmAnalyzedInput[] = [];
      for (const input of read) {
        results.push(await this.facts(input, signal));
      }
      const texts = read.map(({ file }) => file?.text ?? '');
      return { results, ...(await this.rules.report(call, 'analysis', texts, JSON.stringify(results))) };
    });
  }

  private async facts(input: ReadInput, signal: AbortSignal): Promise<OmmAnalyzedInput> {
    const { accountId, index, name, type, kind, bytes, file } = input;
    const about = { index, type, media_type: FILE_KINDS[kind].mediaType, size_bytes: bytes.length };
    if (isImageKind(kind)) {
      const order = { accountId, signal };
      const facts = await withNamedRefusals(name, () => this.readers.image(bytes, kind, order));
      return { ...about, text: null, image: imageFacts(facts), document: null };
    }
    const text = file?.text ?? '';
    return {
      ...about,
      text: /[\p{L}\p{N}]/u.test(text) ? await this.textFacts(text, signal) : null,
      image: null,
      document: type === 'document' && file ? documentFacts(file) : null,
    };
  }

  private async textFacts(text: string, signal: AbortSignal): Promise<OmmTextFacts> {
    const texts = [text];
    return {
      language: await this.threads.run('findLanguage', text, texts, signal),
      ...textMeasures(await this.threads.run('analyzeStatistics', text, texts, signal)),
      entities: shownEntities(await this.threads.run('findEntities', text, texts, signal)),
    };
  }
}
