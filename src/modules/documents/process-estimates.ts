import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Estimates, type Estimate, type EstimatedCall } from '../../contract/estimates';
import { DocumentReading } from '../../core/knowledge/documents/document-reading';
import { DocumentsRepository } from '../../core/knowledge/documents/documents.repository';

/** The text's tokens that a call was priced by. */
export class ReadTokens {
  constructor(readonly tokens: number) {}
}

/**
 * Reads the document before anything is reserved, so that the reservation is exactly what the call costs, and what can't be
 * read costs nothing. The text is kept: a document is read once, whoever pays for it in the end.
 */
@Injectable()
export class ProcessEstimates implements OnModuleInit {
  constructor(
    private readonly estimates: Estimates,
    private readonly documents: DocumentsRepository,
    private readonly reading: DocumentReading,
  ) {}

  onModuleInit(): void {
    this.estimates.register('processDocument', (call) => this.estimate(call));
  }

  /** Throws NotFound, and what DocumentReading.tokensOf throws. */
  async estimate({ account, params, signal }: EstimatedCall): Promise<Estimate> {
    const document = await this.documents.get(account.id, params.doc_id ?? '');
    const tokens = await this.reading.tokensOf(document, signal);
    const inputTokens = document.status === 'failed' && document.isPaid ? 0 : tokens;
    return { inputTokens, outputTokensMax: 0, choices: 1, model: null, plan: new ReadTokens(tokens) };
  }
}
