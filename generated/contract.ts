// Generated from openapi/ by `npm run generate`. Do not edit.
import type { AccountCall, ApiTable, BinaryAnswer, KeyCall, OpenCall, PriceDefinition } from '../src/contract/operation';
import type { StreamedAnswer } from '../src/models/streamed-answer';
import type { AccessKey, AccessKeySecret, AccessKeyUsage, AccountLimits, AdminActionList, AdminCall, AdminDeliveryList, AdminPayment, AdminPaymentList, AdminUpgradeRequest, AdminUpgradeRequestList, AdminUser, AdminUserDetails, AdminUserList, AdminWebhook, AdminWebhookList, AgentChatResponse, AgentListResponse, AgentResponse, AgentTextResponse, AllRequestList, AnsweredMessage, Balance, BrainstormResponse, ChatCompletion, ConsoleSession, ConsoleSessionList, ContentAnalysisResponse, Costs, CountMessageTokensQuery, CreateMessageQuery, CreativeTextResponse, DeliveryList, DocsImprovementResponse, DocsStructureResponse, DocumentExtractResponse, DocumentListResponse, DocumentResponse, EmbeddingList, EnhancementResponse, ExportTransactionsQuery, GeneratedContentResponse, GeneratedDocsResponse, GetCallQuery, GetCostsQuery, GetKeyUsageQuery, GetOverviewQuery, GetRevenueQuery, GetTransactionStatsQuery, GetUsageQuery, GetUsageSeriesQuery, Health, IndexedRagDocumentResponse, IndexedSearchItemsResponse, LegalAnalysisResponse, LegalComparisonResponse, LegalFactsResponse, LegalSummaryResponse, ListAbandonedDeliveriesQuery, ListAdminActionsQuery, ListAgentsQuery, ListAllPaymentsQuery, ListAllRequestsQuery, ListAllWebhooksQuery, ListDeliveriesQuery, ListDocumentsQuery, ListKeysQuery, ListPaymentsQuery, ListRagDocumentsQuery, ListRequestsQuery, ListStoriesQuery, ListTasksQuery, ListTransactionsQuery, ListUpgradeRequestsQuery, ListUsersQuery, ListWebhooksQuery, MemoryBatchResponse, MemoryListResponse, MemoryResponse, MemorySearchResponse, MemoryStatsResponse, MessageTokens, Model, ModelList, ModelResponse, OmmAnalysisResponse, OmmBatchResponse, OmmGeneratedResponse, OmmModelsResponse, OmmProcessedResponse, OmmTransformedResponse, OperatorOverview, OptimizedContentResponse, OptimizedTextResponse, Overview, OwnUpgradeRequestList, PasswordChanged, PasswordReset, PasswordResetRequested, Payment, PaymentList, PaymentMethodList, PlaygroundKey, PriceList, ProcessedContentResponse, ProfessionalAnalysisResponse, ProfessionalDocumentResponse, PublicPriceList, RagAnswerResponse, RagDocumentListResponse, RagDocumentResponse, RagRetrievalResponse, RagStatsResponse, Readiness, Receipt, Reconciliation, ReplayedDeliveries, RequestList, Revenue, ScholarAnalysisResponse, ScholarCitationsResponse, ScholarResearchResponse, ScholarSummaryResponse, SearchItemResponse, SearchResponse, ServiceHealth, Session, SpendingLimits, StoryListResponse, StoryResponse, SystemInfoResponse, SystemMetricsResponse, SystemResourcesResponse, TaskListResponse, TaskResponse, TextCompletion, TierList, Transaction, TransactionList, TransactionStats, UpgradeRequest, UploadedDocumentResponse, Usage, UsageSeries, UsageSummary, User, WatchPaymentsQuery, Webhook, WebhookDelivery, WebhookDeliveryDetails, WebhookList, WebhookSecret, WebhooksHealth, operations } from './types';

/** The prices of the document: decimal strings, USD. */
export const prices = {
  memory_operation: { title: 'Memory operations', base: '0.0001', perToken: null, counts: null },
  chat_completion: { title: 'Chat completion', base: '0.0020', perToken: '0.00001', counts: 'input_and_output' },
  embeddings: { title: 'Embeddings', base: '0.0001', perToken: '0.000001', counts: 'input' },
  retrieval: { title: 'Retrieval', base: '0.0002', perToken: null, counts: null },
  indexing: { title: 'Indexing', base: '0.0005', perToken: '0.000001', counts: 'input' },
  task_submission: { title: 'Task submission', base: '0.0005', perToken: null, counts: null },
  story_generation: { title: 'Story generation', base: '0.0030', perToken: '0.00002', counts: 'input_and_output' },
  rag_generation: { title: 'RAG generation', base: '0.0030', perToken: '0.00001', counts: 'input_and_output' },
  omm_processing: { title: 'OMM processing', base: '0.0030', perToken: '0.00002', counts: 'input_and_output' },
  legal_analysis: { title: 'Legal analysis', base: '0.0050', perToken: '0.00003', counts: 'input_and_output' },
  creative_services: { title: 'Creative services', base: '0.0030', perToken: '0.00002', counts: 'input_and_output' },
  product_docs: { title: 'Product docs', base: '0.0030', perToken: '0.00002', counts: 'input_and_output' },
  advanced_processing: { title: 'Advanced processing', base: '0.0040', perToken: '0.00002', counts: 'input_and_output' },
  professional_services: { title: 'Professional services', base: '0.0040', perToken: '0.00002', counts: 'input_and_output' },
  scholar_services: { title: 'Scholar services', base: '0.0040', perToken: '0.00002', counts: 'input_and_output' },
  document_upload: { title: 'Document upload', base: '0.0010', perToken: null, counts: null },
  document_processing: { title: 'Document processing', base: '0.0020', perToken: '0.00001', counts: 'input' },
  document_extraction: { title: 'Document extraction', base: '0.0020', perToken: '0.00001', counts: 'input_and_output' },
} as const satisfies Record<string, PriceDefinition>;
export type PriceName = keyof typeof prices;

export type RegisterCall = OpenCall<operations['register'], undefined, false>;
export type LoginCall = OpenCall<operations['login'], undefined, false>;
export type GetCurrentUserCall = AccountCall<operations['getCurrentUser'], undefined, false>;
export type ChangePasswordCall = AccountCall<operations['changePassword'], undefined, false>;
export type RefreshTokenCall = AccountCall<operations['refreshToken'], undefined, false>;
export type LogoutCall = AccountCall<operations['logout'], undefined, false>;
export type LogoutEverywhereCall = AccountCall<operations['logoutEverywhere'], undefined, false>;
export type RequestPasswordResetCall = OpenCall<operations['requestPasswordReset'], undefined, false>;
export type ResetPasswordCall = OpenCall<operations['resetPassword'], undefined, false>;

/** Registration, login and account tokens. */
export interface AuthApi {
  /** Register an account. POST /api/auth/register */
  register: (call: RegisterCall) => Promise<User>;
  /** Log in. POST /api/auth/login */
  login: (call: LoginCall) => Promise<Session>;
  /** Get the account that the token stands for. GET /api/auth/me */
  getCurrentUser: (call: GetCurrentUserCall) => Promise<User>;
  /** Change the password. POST /api/auth/change-password */
  changePassword: (call: ChangePasswordCall) => Promise<PasswordChanged>;
  /** Exchange the account token for a new one. POST /api/auth/refresh */
  refreshToken: (call: RefreshTokenCall) => Promise<Session>;
  /** End the account token. POST /api/auth/logout */
  logout: (call: LogoutCall) => Promise<void>;
  /** End every token and session of the account. POST /api/auth/logout-everywhere */
  logoutEverywhere: (call: LogoutEverywhereCall) => Promise<void>;
  /** Ask for a link that sets a new password. POST /api/auth/forgot-password */
  requestPasswordReset: (call: RequestPasswordResetCall) => Promise<PasswordResetRequested>;
  /** Set a new password by a link. POST /api/auth/reset-password */
  resetPassword: (call: ResetPasswordCall) => Promise<PasswordChanged>;
}

export const authApi: ApiTable<AuthApi> = {
  tag: 'auth',
  operations: {
    register: { operationId: 'register', tag: 'auth', method: 'POST', path: '/api/auth/register', status: 201, auth: 'none', role: null, rate: 'write', price: null, model: null, idempotent: false, envelope: false, bodyBytesMax: 8192, mediaTypes: ['application/json'] },
    login: { operationId: 'login', tag: 'auth', method: 'POST', path: '/api/auth/login', status: 200, auth: 'none', role: null, rate: 'write', price: null, model: null, idempotent: false, envelope: false, bodyBytesMax: 8192, mediaTypes: ['application/json'] },
    getCurrentUser: { operationId: 'getCurrentUser', tag: 'auth', method: 'GET', path: '/api/auth/me', status: 200, auth: 'jwt', role: null, rate: 'read', price: null, model: null, idempotent: false, envelope: false, bodyBytesMax: null, mediaTypes: [] },
    changePassword: { operationId: 'changePassword', tag: 'auth', method: 'POST', path: '/api/auth/change-password', status: 200, auth: 'jwt', role: null, rate: 'write', price: null, model: null, idempotent: false, envelope: false, bodyBytesMax: 8192, mediaTypes: ['application/json'] },
    refreshToken: { operationId: 'refreshToken', tag: 'auth', method: 'POST', path: '/api/auth/refresh', status: 200, auth: 'jwt', role: null, rate: 'write', price: null, model: null, idempotent: false, envelope: false, bodyBytesMax: null, mediaTypes: [] },
    logout: { operationId: 'logout', tag: 'auth', method: 'POST', path: '/api/auth/logout', status: 204, auth: 'jwt', role: null, rate: 'write', price: null, model: null, idempotent: false, envelope: false, bodyBytesMax: null, mediaTypes: [] },
    logoutEverywhere: { operationId: 'logoutEverywhere', tag: 'auth', method: 'POST', path: '/api/auth/logout-everywhere', status: 204, auth: 'jwt', role: null, rate: 'write', price: null, model: null, idempotent: false, envelope: false, bodyBytesMax: null, mediaTypes: [] },
    requestPasswordReset: { operationId: 'requestPasswordReset', tag: 'auth', method: 'POST', path: '/api/auth/forgot-password', status: 200, auth: 'none', role: null, rate: 'write', price: null, model: null, idempotent: false, envelope: false, bodyBytesMax: 8192, mediaTypes: ['application/json'] },
    resetPassword: { operationId: 'resetPassword', tag: 'auth', method: 'POST', path: '/api/auth/reset-password', status: 200, auth: 'none', role: null, rate: 'write', price: null, model: null, idempotent: false, envelope: false, bodyBytesMax: 8192, mediaTypes: ['application/json'] },
  },
};

export type GetSessionCall = AccountCall<operations['getSession'], undefined, false>;
export type StartSessionCall = OpenCall<operations['startSession'], undefined, false>;
export type EndSessionCall = AccountCall<operations['endSession'], undefined, false>;
export type ProvePasswordCall = AccountCall<operations['provePassword'], undefined, false>;
export type ListSessionsCall = AccountCall<operations['listSessions'], undefined, false>;
export type RevokeSessionCall = AccountCall<operations['revokeSession'], undefined, false>;
export type CreatePlaygroundKeyCall = AccountCall<operations['createPlaygroundKey'], undefined, false>;

/** Sessions of the web console. */
export interface ConsoleApi {
  /** Get the session that the call is made with. GET /api/console/session */
  getSession: (call: GetSessionCall) => Promise<ConsoleSession>;
  /** Log a browser in. POST /api/console/session */
  startSession: (call: StartSessionCall) => Promise<ConsoleSession>;
  /** Log the browser out. DELETE /api/console/session */
  endSession: (call: EndSessionCall) => Promise<void>;
  /** Show the password again. POST /api/console/session/password */
  provePassword: (call: ProvePasswordCall) => Promise<ConsoleSession>;
  /** List the account's sessions. GET /api/console/sessions */
  listSessions: (call: ListSessionsCall) => Promise<ConsoleSessionList>;
  /** Log another browser out. DELETE /api/console/sessions/{session_id} */
  revokeSession: (call: RevokeSessionCall) => Promise<void>;
  /** Create an access key of minutes. POST /api/console/playground-keys */
  createPlaygroundKey: (call: CreatePlaygroundKeyCall) => Promise<PlaygroundKey>;
}

export const consoleApi: ApiTable<ConsoleApi> = {
  tag: 'console',
  operations: {
    getSession: { operationId: 'getSession', tag: 'console', method: 'GET', path: '/api/console/session', status: 200, auth: 'jwt', role: null, rate: 'read', price: null, model: null, idempotent: false, envelope: false, bodyBytesMax: null, mediaTypes: [] },
    startSession: { operationId: 'startSession', tag: 'console', method: 'POST', path: '/api/console/session', status: 200, auth: 'none', role: null, rate: 'write', price: null, model: null, idempotent: false, envelope: false, bodyBytesMax: 8192, mediaTypes: ['application/json'] },
    endSession: { operationId: 'endSession', tag: 'console', method: 'DELETE', path: '/api/console/session', status: 204, auth: 'jwt', role: null, rate: 'write', price: null, model: null, idempotent: false, envelope: false, bodyBytesMax: null, mediaTypes: [] },
    provePassword: { operationId: 'provePassword', tag: 'console', method: 'POST', path: '/api/console/session/password', status: 200, auth: 'jwt', role: null, rate: 'write', price: null, model: null, idempotent: false, envelope: false, bodyBytesMax: 8192, mediaTypes: ['application/json'] },
    listSessions: { operationId: 'listSessions', tag: 'console', method: 'GET', path: '/api/console/sessions', status: 200, auth: 'jwt', role: null, rate: 'read', price: null, model: null, idempotent: false, envelope: false, bodyBytesMax: null, mediaTypes: [] },
    revokeSession: { operationId: 'revokeSession', tag: 'console', method: 'DELETE', path: '/api/console/sessions/:session_id', status: 204, auth: 'jwt', role: null, rate: 'write', price: null, model: null, idempotent: false, envelope: false, bodyBytesMax: null, mediaTypes: [] },
    createPlaygroundKey: { operationId: 'createPlaygroundKey', tag: 'console', method: 'POST', path: '/api/console/playground-keys', status: 200, auth: 'jwt', role: null, rate: 'write', price: null, model: null, idempotent: false, envelope: false, bodyBytesMax: 8192, mediaTypes: ['application/json'] },
  },
};

export type ListKeysCall = AccountCall<operations['listKeys'], ListKeysQuery, false>;
export type CreateKeyCall = AccountCall<operations['createKey'], undefined, false>;
export type UpdateKeyCall = AccountCall<operations['updateKey'], undefined, false>;
export type DeleteKeyCall = AccountCall<operations['deleteKey'], undefined, false>;
export type RevokeKeyCall = AccountCall<operations['revokeKey'], undefined, false>;
export type RotateKeyCall = AccountCall<operations['rotateKey'], undefined, false>;
export type GetKeyLimitsCall = AccountCall<operations['getKeyLimits'], undefined, false>;
export type SetKeyLimitsCall = AccountCall<operations['setKeyLimits'], undefined, false>;
export type DeleteKeyLimitsCall = AccountCall<operations['deleteKeyLimits'], undefined, false>;
export type ResetKeyLimitsCall = AccountCall<operations['resetKeyLimits'], undefined, false>;

/** Access keys and their spending limits. */
export interface KeysApi {
  /** List the account's access keys. GET /api/keys */
  listKeys: (call: ListKeysCall) => Promise<operations['listKeys']['responses'][200]['content']['application/json']>;
  /** Create an access key. POST /api/keys */
  createKey: (call: CreateKeyCall) => Promise<AccessKeySecret>;
  /** Rename an access key. PUT /api/keys/{key_id} */
  updateKey: (call: UpdateKeyCall) => Promise<AccessKey>;
  /** Delete an access key. DELETE /api/keys/{key_id} */
  deleteKey: (call: DeleteKeyCall) => Promise<void>;
  /** Revoke an access key. POST /api/keys/{key_id}/revoke */
  revokeKey: (call: RevokeKeyCall) => Promise<AccessKey>;
  /** Give an access key a new secret. POST /api/keys/{key_id}/rotate */
  rotateKey: (call: RotateKeyCall) => Promise<AccessKeySecret>;
  /** Get a key's spending limits and what is spent of them. GET /api/keys/{key_id}/limits */
  getKeyLimits: (call: GetKeyLimitsCall) => Promise<SpendingLimits>;
  /** Set a key's spending limits. PUT /api/keys/{key_id}/limits */
  setKeyLimits: (call: SetKeyLimitsCall) => Promise<SpendingLimits>;
  /** Remove all of a key's spending limits. DELETE /api/keys/{key_id}/limits */
  deleteKeyLimits: (call: DeleteKeyLimitsCall) => Promise<void>;
  /** Set a key's spent counters to zero. POST /api/keys/{key_id}/limits/reset */
  resetKeyLimits: (call: ResetKeyLimitsCall) => Promise<SpendingLimits>;
}

export const keysApi: ApiTable<KeysApi> = {
  tag: 'keys',
  operations: {
    listKeys: { operationId: 'listKeys', tag: 'keys', method: 'GET', path: '/api/keys', status: 200, auth: 'jwt', role: null, rate: 'read', price: null, model: null, idempotent: false, envelope: false, bodyBytesMax: null, mediaTypes: [] },
    createKey: { operationId: 'createKey', tag: 'keys', method: 'POST', path: '/api/keys', status: 201, auth: 'jwt', role: null, rate: 'write', price: null, model: null, idempotent: true, envelope: false, bodyBytesMax: 8192, mediaTypes: ['application/json'], secretAnswer: true, recentPassword: true },
    updateKey: { operationId: 'updateKey', tag: 'keys', method: 'PUT', path: '/api/keys/:key_id', status: 200, auth: 'jwt', role: null, rate: 'write', price: null, model: null, idempotent: false, envelope: false, bodyBytesMax: 8192, mediaTypes: ['application/json'] },
    deleteKey: { operationId: 'deleteKey', tag: 'keys', method: 'DELETE', path: '/api/keys/:key_id', status: 204, auth: 'jwt', role: null, rate: 'write', price: null, model: null, idempotent: false, envelope: false, bodyBytesMax: null, mediaTypes: [] },
    revokeKey: { operationId: 'revokeKey', tag: 'keys', method: 'POST', path: '/api/keys/:key_id/revoke', status: 200, auth: 'jwt', role: null, rate: 'write', price: null, model: null, idempotent: false, envelope: false, bodyBytesMax: null, mediaTypes: [] },
    rotateKey: { operationId: 'rotateKey', tag: 'keys', method: 'POST', path: '/api/keys/:key_id/rotate', status: 200, auth: 'jwt', role: null, rate: 'write', price: null, model: null, idempotent: true, envelope: false, bodyBytesMax: 8192, mediaTypes: ['application/json'], secretAnswer: true, recentPassword: true },
    getKeyLimits: { operationId: 'getKeyLimits', tag: 'keys', method: 'GET', path: '/api/keys/:key_id/limits', status: 200, auth: 'jwt', role: null, rate: 'read', price: null, model: null, idempotent: false, envelope: false, bodyBytesMax: null, mediaTypes: [] },
    setKeyLimits: { operationId: 'setKeyLimits', tag: 'keys', method: 'PUT', path: '/api/keys/:key_id/limits', status: 200, auth: 'jwt', role: null, rate: 'write', price: null, model: null, idempotent: false, envelope: false, bodyBytesMax: 8192, mediaTypes: ['application/json'], recentPassword: true },
    deleteKeyLimits: { operationId: 'deleteKeyLimits', tag: 'keys', method: 'DELETE', path: '/api/keys/:key_id/limits', status: 204, auth: 'jwt', role: null, rate: 'write', price: null, model: null, idempotent: false, envelope: false, bodyBytesMax: null, mediaTypes: [], recentPassword: true },
    resetKeyLimits: { operationId: 'resetKeyLimits', tag: 'keys', method: 'POST', path: '/api/keys/:key_id/limits/reset', status: 200, auth: 'jwt', role: null, rate: 'write', price: null, model: null, idempotent: false, envelope: false, bodyBytesMax: null, mediaTypes: [], recentPassword: true },
  },
};

export type GetBalanceCall = AccountCall<operations['getBalance'], undefined, false>;
export type AddCreditsCall = AccountCall<operations['addCredits'], undefined, false>;
export type ListTransactionsCall = AccountCall<operations['listTransactions'], ListTransactionsQuery, false>;
export type GetTransactionStatsCall = AccountCall<operations['getTransactionStats'], GetTransactionStatsQuery, false>;
export type GetTransactionCall = AccountCall<operations['getTransaction'], undefined, false>;
export type ExportTransactionsCall = AccountCall<operations['exportTransactions'], ExportTransactionsQuery, false>;
export type WatchPaymentsCall = AccountCall<operations['watchPayments'], WatchPaymentsQuery, false>;
export type ListPaymentMethodsCall = AccountCall<operations['listPaymentMethods'], undefined, false>;
export type ListPaymentsCall = AccountCall<operations['listPayments'], ListPaymentsQuery, false>;
export type CreatePaymentCall = AccountCall<operations['createPayment'], undefined, false>;
export type GetPaymentCall = AccountCall<operations['getPayment'], undefined, false>;
export type ConfirmPaymentCall = AccountCall<operations['confirmPayment'], undefined, false>;
export type GetPaymentQrCall = AccountCall<operations['getPaymentQr'], undefined, false>;

/** Balance, credits, transactions, and payments by cryptocurrency. */
export interface PaymentsApi {
  /** Get the account's balance. GET /api/payments/credits/balance */
  getBalance: (call: GetBalanceCall) => Promise<Balance>;
  /** Add credits to an account. POST /api/payments/credits/add */
  addCredits: (call: AddCreditsCall) => Promise<Transaction>;
  /** List the account's transactions. GET /api/payments/transactions */
  listTransactions: (call: ListTransactionsCall) => Promise<TransactionList>;
  /** Sum the account's transactions. GET /api/payments/transactions/stats */
  getTransactionStats: (call: GetTransactionStatsCall) => Promise<TransactionStats>;
  /** Get a transaction. GET /api/payments/transactions/{id} */
  getTransaction: (call: GetTransactionCall) => Promise<Transaction>;
  /** Download the account's transactions. GET /api/payments/transactions.csv */
  exportTransactions: (call: ExportTransactionsCall) => Promise<BinaryAnswer>;
  /** Watch payments and balance as they change. GET /api/payments/events */
  watchPayments: (call: WatchPaymentsCall) => Promise<BinaryAnswer>;
  /** List the currencies that credits can be bought with. GET /api/payments/payments/methods */
  listPaymentMethods: (call: ListPaymentMethodsCall) => Promise<PaymentMethodList>;
  /** List the account's payments. GET /api/payments/payments */
  listPayments: (call: ListPaymentsCall) => Promise<PaymentList>;
  /** Buy credits with a cryptocurrency. POST /api/payments/payments */
  createPayment: (call: CreatePaymentCall) => Promise<Payment>;
  /** Get a payment. GET /api/payments/payments/{payment_id} */
  getPayment: (call: GetPaymentCall) => Promise<Payment>;
  /** Look at the chain now. POST /api/payments/payments/{payment_id}/confirm */
  confirmPayment: (call: ConfirmPaymentCall) => Promise<Payment>;
  /** Get a payment's URI as a QR code. GET /api/payments/payments/{payment_id}/qr.svg */
  getPaymentQr: (call: GetPaymentQrCall) => Promise<string>;
}

export const paymentsApi: ApiTable<PaymentsApi> = {
  tag: 'payments',
  operations: {
    getBalance: { operationId: 'getBalance', tag: 'payments', method: 'GET', path: '/api/payments/credits/balance', status: 200, auth: 'jwt', role: null, rate: 'read', price: null, model: null, idempotent: false, envelope: false, bodyBytesMax: null, mediaTypes: [] },
    addCredits: { operationId: 'addCredits', tag: 'payments', method: 'POST', path: '/api/payments/credits/add', status: 201, auth: 'jwt', role: 'admin', rate: 'write', price: null, model: null, idempotent: true, envelope: false, bodyBytesMax: 8192, mediaTypes: ['application/json'], recentPassword: true },
    listTransactions: { operationId: 'listTransactions', tag: 'payments', method: 'GET', path: '/api/payments/transactions', status: 200, auth: 'jwt', role: null, rate: 'read', price: null, model: null, idempotent: false, envelope: false, bodyBytesMax: null, mediaTypes: [] },
    getTransactionStats: { operationId: 'getTransactionStats', tag: 'payments', method: 'GET', path: '/api/payments/transactions/stats', status: 200, auth: 'jwt', role: null, rate: 'read', price: null, model: null, idempotent: false, envelope: false, bodyBytesMax: null, mediaTypes: [] },
    getTransaction: { operationId: 'getTransaction', tag: 'payments', method: 'GET', path: '/api/payments/transactions/:id', status: 200, auth: 'jwt', role: null, rate: 'read', price: null, model: null, idempotent: false, envelope: false, bodyBytesMax: null, mediaTypes: [] },
    exportTransactions: { operationId: 'exportTransactions', tag: 'payments', method: 'GET', path: '/api/payments/transactions.csv', status: 200, auth: 'jwt', role: null, rate: 'read', price: null, model: null, idempotent: false, envelope: false, bodyBytesMax: null, mediaTypes: [], answerType: 'text/csv' },
    watchPayments: { operationId: 'watchPayments', tag: 'payments', method: 'GET', path: '/api/payments/events', status: 200, auth: 'jwt', role: null, rate: 'read', price: null, model: null, idempotent: false, envelope: false, bodyBytesMax: null, mediaTypes: [], answerType: 'text/event-stream' },
    listPaymentMethods: { operationId: 'listPaymentMethods', tag: 'payments', method: 'GET', path: '/api/payments/payments/methods', status: 200, auth: 'jwt', role: null, rate: 'read', price: null, model: null, idempotent: false, envelope: false, bodyBytesMax: null, mediaTypes: [] },
    listPayments: { operationId: 'listPayments', tag: 'payments', method: 'GET', path: '/api/payments/payments', status: 200, auth: 'jwt', role: null, rate: 'read', price: null, model: null, idempotent: false, envelope: false, bodyBytesMax: null, mediaTypes: [] },
    createPayment: { operationId: 'createPayment', tag: 'payments', method: 'POST', path: '/api/payments/payments', status: 201, auth: 'jwt', role: null, rate: 'write', price: null, model: null, idempotent: true, envelope: false, bodyBytesMax: 8192, mediaTypes: ['application/json'] },
    getPayment: { operationId: 'getPayment', tag: 'payments', method: 'GET', path: '/api/payments/payments/:payment_id', status: 200, auth: 'jwt', role: null, rate: 'read', price: null, model: null, idempotent: false, envelope: false, bodyBytesMax: null, mediaTypes: [] },
    confirmPayment: { operationId: 'confirmPayment', tag: 'payments', method: 'POST', path: '/api/payments/payments/:payment_id/confirm', status: 200, auth: 'jwt', role: null, rate: 'write', price: null, model: null, idempotent: false, envelope: false, bodyBytesMax: null, mediaTypes: [] },
    getPaymentQr: { operationId: 'getPaymentQr', tag: 'payments', method: 'GET', path: '/api/payments/payments/:payment_id/qr.svg', status: 200, auth: 'jwt', role: null, rate: 'read', price: null, model: null, idempotent: false, envelope: false, bodyBytesMax: null, mediaTypes: [], answerType: 'image/svg+xml' },
  },
};

export type GetPricingCall = KeyCall<operations['getPricing'], undefined, false>;
export type GetPublicPricingCall = OpenCall<operations['getPublicPricing'], undefined, false>;

/** The prices in force. */
export interface PricingApi {
  /** Get the prices in force. GET /api/pricing */
  getPricing: (call: GetPricingCall) => Promise<PriceList>;
  /** Get the prices in force and the models, without a credential. GET /api/pricing/public */
  getPublicPricing: (call: GetPublicPricingCall) => Promise<PublicPriceList>;
}

export const pricingApi: ApiTable<PricingApi> = {
  tag: 'pricing',
  operations: {
    getPricing: { operationId: 'getPricing', tag: 'pricing', method: 'GET', path: '/api/pricing', status: 200, auth: 'key', role: null, rate: 'read', price: null, model: null, idempotent: false, envelope: false, bodyBytesMax: null, mediaTypes: [] },
    getPublicPricing: { operationId: 'getPublicPricing', tag: 'pricing', method: 'GET', path: '/api/pricing/public', status: 200, auth: 'none', role: null, rate: 'read', price: null, model: null, idempotent: false, envelope: false, bodyBytesMax: null, mediaTypes: [] },
  },
};

export type GetAccountLimitsCall = AccountCall<operations['getAccountLimits'], undefined, false>;
export type GetOverviewCall = AccountCall<operations['getOverview'], GetOverviewQuery, false>;

/** The rate limits of the account. */
export interface AccountApi {
  /** Get the account's rate limits. GET /api/account/limits */
  getAccountLimits: (call: GetAccountLimitsCall) => Promise<AccountLimits>;
  /** Get what an account's first page shows. GET /api/account/overview */
  getOverview: (call: GetOverviewCall) => Promise<Overview>;
}

export const accountApi: ApiTable<AccountApi> = {
  tag: 'account',
  operations: {
    getAccountLimits: { operationId: 'getAccountLimits', tag: 'account', method: 'GET', path: '/api/account/limits', status: 200, auth: 'jwt', role: null, rate: 'read', price: null, model: null, idempotent: false, envelope: false, bodyBytesMax: null, mediaTypes: [] },
    getOverview: { operationId: 'getOverview', tag: 'account', method: 'GET', path: '/api/account/overview', status: 200, auth: 'jwt', role: null, rate: 'read', price: null, model: null, idempotent: false, envelope: false, bodyBytesMax: null, mediaTypes: [] },
  },
};

export type CreateUpgradeRequestCall = AccountCall<operations['createUpgradeRequest'], undefined, false>;
export type ListOwnUpgradeRequestsCall = AccountCall<operations['listOwnUpgradeRequests'], undefined, false>;

/** Requests to the operator. */
export interface SupportApi {
  /** Ask the operator for another tier. POST /api/support/upgrade-request */
  createUpgradeRequest: (call: CreateUpgradeRequestCall) => Promise<UpgradeRequest>;
  /** List the account's requests for another tier. GET /api/support/upgrade-requests */
  listOwnUpgradeRequests: (call: ListOwnUpgradeRequestsCall) => Promise<OwnUpgradeRequestList>;
}

export const supportApi: ApiTable<SupportApi> = {
  tag: 'support',
  operations: {
    createUpgradeRequest: { operationId: 'createUpgradeRequest', tag: 'support', method: 'POST', path: '/api/support/upgrade-request', status: 201, auth: 'jwt', role: null, rate: 'write', price: null, model: null, idempotent: true, envelope: false, bodyBytesMax: 65536, mediaTypes: ['application/json'] },
    listOwnUpgradeRequests: { operationId: 'listOwnUpgradeRequests', tag: 'support', method: 'GET', path: '/api/support/upgrade-requests', status: 200, auth: 'jwt', role: null, rate: 'read', price: null, model: null, idempotent: false, envelope: false, bodyBytesMax: null, mediaTypes: [] },
  },
};

export type GetUsageCall = AccountCall<operations['getUsage'], GetUsageQuery, false>;
export type GetUsageSummaryCall = AccountCall<operations['getUsageSummary'], undefined, false>;
export type GetUsageSeriesCall = AccountCall<operations['getUsageSeries'], GetUsageSeriesQuery, false>;
export type ListRequestsCall = AccountCall<operations['listRequests'], ListRequestsQuery, false>;
export type GetCostsCall = AccountCall<operations['getCosts'], GetCostsQuery, false>;
export type GetKeyUsageCall = AccountCall<operations['getKeyUsage'], GetKeyUsageQuery, false>;
export type GetRequestReceiptCall = AccountCall<operations['getRequestReceipt'], undefined, false>;

/** Usage, costs and the receipt of every call. */
export interface MonitoringApi {
  /** Get the account's usage. GET /api/monitoring/usage */
  getUsage: (call: GetUsageCall) => Promise<Usage>;
  /** Get the account's usage in short. GET /api/monitoring/usage/summary */
  getUsageSummary: (call: GetUsageSummaryCall) => Promise<UsageSummary>;
  /** Get the account's usage over time. GET /api/monitoring/usage/series */
  getUsageSeries: (call: GetUsageSeriesCall) => Promise<UsageSeries>;
  /** List the account's calls. GET /api/monitoring/requests */
  listRequests: (call: ListRequestsCall) => Promise<RequestList>;
  /** Break the account's costs down. GET /api/monitoring/costs */
  getCosts: (call: GetCostsCall) => Promise<Costs>;
  /** Get the usage of an access key. GET /api/monitoring/keys/{key_id}/usage */
  getKeyUsage: (call: GetKeyUsageCall) => Promise<AccessKeyUsage>;
  /** Get the receipt of a call. GET /api/monitoring/requests/{request_id} */
  getRequestReceipt: (call: GetRequestReceiptCall) => Promise<Receipt>;
}

export const monitoringApi: ApiTable<MonitoringApi> = {
  tag: 'monitoring',
  operations: {
    getUsage: { operationId: 'getUsage', tag: 'monitoring', method: 'GET', path: '/api/monitoring/usage', status: 200, auth: 'jwt', role: null, rate: 'read', price: null, model: null, idempotent: false, envelope: false, bodyBytesMax: null, mediaTypes: [] },
    getUsageSummary: { operationId: 'getUsageSummary', tag: 'monitoring', method: 'GET', path: '/api/monitoring/usage/summary', status: 200, auth: 'jwt', role: null, rate: 'read', price: null, model: null, idempotent: false, envelope: false, bodyBytesMax: null, mediaTypes: [] },
    getUsageSeries: { operationId: 'getUsageSeries', tag: 'monitoring', method: 'GET', path: '/api/monitoring/usage/series', status: 200, auth: 'jwt', role: null, rate: 'read', price: null, model: null, idempotent: false, envelope: false, bodyBytesMax: null, mediaTypes: [] },
    listRequests: { operationId: 'listRequests', tag: 'monitoring', method: 'GET', path: '/api/monitoring/requests', status: 200, auth: 'jwt', role: null, rate: 'read', price: null, model: null, idempotent: false, envelope: false, bodyBytesMax: null, mediaTypes: [] },
    getCosts: { operationId: 'getCosts', tag: 'monitoring', method: 'GET', path: '/api/monitoring/costs', status: 200, auth: 'jwt', role: null, rate: 'read', price: null, model: null, idempotent: false, envelope: false, bodyBytesMax: null, mediaTypes: [] },
    getKeyUsage: { operationId: 'getKeyUsage', tag: 'monitoring', method: 'GET', path: '/api/monitoring/keys/:key_id/usage', status: 200, auth: 'jwt', role: null, rate: 'read', price: null, model: null, idempotent: false, envelope: false, bodyBytesMax: null, mediaTypes: [] },
    getRequestReceipt: { operationId: 'getRequestReceipt', tag: 'monitoring', method: 'GET', path: '/api/monitoring/requests/:request_id', status: 200, auth: 'jwt', role: null, rate: 'read', price: null, model: null, idempotent: false, envelope: false, bodyBytesMax: null, mediaTypes: [] },
  },
};

export type GetHubHealthCall = OpenCall<operations['getHubHealth'], undefined, false>;

/** Health of the hub. */
export interface HubApi {
  /** Ask whether the hub answers. GET /api/hub/health */
  getHubHealth: (call: GetHubHealthCall) => Promise<Health>;
}

export const hubApi: ApiTable<HubApi> = {
  tag: 'hub',
  operations: {
    getHubHealth: { operationId: 'getHubHealth', tag: 'hub', method: 'GET', path: '/api/hub/health', status: 200, auth: 'none', role: null, rate: 'health', price: null, model: null, idempotent: false, envelope: false, bodyBytesMax: null, mediaTypes: [] },
  },
};

export type CreateMemoryCall = KeyCall<operations['createMemory'], undefined, true>;
export type QueryMemoriesCall = KeyCall<operations['queryMemories'], undefined, true>;
export type SearchMemoriesCall = KeyCall<operations['searchMemories'], undefined, true>;
export type GetMemoryStatsCall = KeyCall<operations['getMemoryStats'], undefined, true>;
export type CreateMemoryBatchCall = KeyCall<operations['createMemoryBatch'], undefined, true>;
export type GetMemoryCall = KeyCall<operations['getMemory'], undefined, true>;

/** Stored memories and their search. */
export interface MemoryApi {
  /** Store a memory. POST /api/hub/memory */
  createMemory: (call: CreateMemoryCall) => Promise<MemoryResponse['data']>;
  /** List the memories that meet a filter. POST /api/hub/memory/query */
  queryMemories: (call: QueryMemoriesCall) => Promise<MemoryListResponse['data']>;
  /** Search the memories by their text. POST /api/hub/memory/search */
  searchMemories: (call: SearchMemoriesCall) => Promise<MemorySearchResponse['data']>;
  /** Count the memories. GET /api/hub/memory/stats */
  getMemoryStats: (call: GetMemoryStatsCall) => Promise<MemoryStatsResponse['data']>;
  /** Store several memories. POST /api/hub/memory/batch */
  createMemoryBatch: (call: CreateMemoryBatchCall) => Promise<MemoryBatchResponse['data']>;
  /** Get a memory. GET /api/hub/memory/{memory_id} */
  getMemory: (call: GetMemoryCall) => Promise<MemoryResponse['data']>;
}

export const memoryApi: ApiTable<MemoryApi> = {
  tag: 'memory',
  operations: {
    createMemory: { operationId: 'createMemory', tag: 'memory', method: 'POST', path: '/api/hub/memory', status: 201, auth: 'key', role: null, rate: 'write', price: 'memory_operation', model: null, idempotent: true, envelope: true, bodyBytesMax: 8388608, mediaTypes: ['application/json'] },
    queryMemories: { operationId: 'queryMemories', tag: 'memory', method: 'POST', path: '/api/hub/memory/query', status: 200, auth: 'key', role: null, rate: 'read', price: 'memory_operation', model: null, idempotent: true, envelope: true, bodyBytesMax: 1048576, mediaTypes: ['application/json'] },
    searchMemories: { operationId: 'searchMemories', tag: 'memory', method: 'POST', path: '/api/hub/memory/search', status: 200, auth: 'key', role: null, rate: 'read', price: 'memory_operation', model: null, idempotent: true, envelope: true, bodyBytesMax: 1048576, mediaTypes: ['application/json'] },
    getMemoryStats: { operationId: 'getMemoryStats', tag: 'memory', method: 'GET', path: '/api/hub/memory/stats', status: 200, auth: 'key', role: null, rate: 'read', price: 'memory_operation', model: null, idempotent: false, envelope: true, bodyBytesMax: null, mediaTypes: [] },
    createMemoryBatch: { operationId: 'createMemoryBatch', tag: 'memory', method: 'POST', path: '/api/hub/memory/batch', status: 201, auth: 'key', role: null, rate: 'write', price: 'memory_operation', model: null, idempotent: true, envelope: true, bodyBytesMax: 1048576, mediaTypes: ['application/json'] },
    getMemory: { operationId: 'getMemory', tag: 'memory', method: 'GET', path: '/api/hub/memory/:memory_id', status: 200, auth: 'key', role: null, rate: 'read', price: 'memory_operation', model: null, idempotent: false, envelope: true, bodyBytesMax: null, mediaTypes: [] },
  },
};

export type ListAgentsCall = KeyCall<operations['listAgents'], ListAgentsQuery, false>;
export type CreateAgentCall = KeyCall<operations['createAgent'], undefined, false>;
export type GenerateWithAgentCall = KeyCall<operations['generateWithAgent'], undefined, true>;
export type ChatWithAgentCall = KeyCall<operations['chatWithAgent'], undefined, true>;
export type GetAgentCall = KeyCall<operations['getAgent'], undefined, false>;
export type UpdateAgentCall = KeyCall<operations['updateAgent'], undefined, false>;
export type DeleteAgentCall = KeyCall<operations['deleteAgent'], undefined, false>;

/** Stored agents, and text and chats with them. */
export interface AgentsApi {
  /** List the account's agents. GET /api/hub/agents */
  listAgents: (call: ListAgentsCall) => Promise<AgentListResponse['data']>;
  /** Create an agent. POST /api/hub/agents */
  createAgent: (call: CreateAgentCall) => Promise<AgentResponse['data']>;
  /** Generate a text with an agent. POST /api/hub/agents/generate */
  generateWithAgent: (call: GenerateWithAgentCall) => Promise<AgentTextResponse['data']>;
  /** Chat with an agent. POST /api/hub/agents/chat */
  chatWithAgent: (call: ChatWithAgentCall) => Promise<AgentChatResponse['data'] | StreamedAnswer>;
  /** Get an agent. GET /api/hub/agents/{agent_id} */
  getAgent: (call: GetAgentCall) => Promise<AgentResponse['data']>;
  /** Change an agent. PUT /api/hub/agents/{agent_id} */
  updateAgent: (call: UpdateAgentCall) => Promise<AgentResponse['data']>;
  /** Delete an agent. DELETE /api/hub/agents/{agent_id} */
  deleteAgent: (call: DeleteAgentCall) => Promise<void>;
}

export const agentsApi: ApiTable<AgentsApi> = {
  tag: 'agents',
  operations: {
    listAgents: { operationId: 'listAgents', tag: 'agents', method: 'GET', path: '/api/hub/agents', status: 200, auth: 'key', role: null, rate: 'read', price: null, model: null, idempotent: false, envelope: true, bodyBytesMax: null, mediaTypes: [] },
    createAgent: { operationId: 'createAgent', tag: 'agents', method: 'POST', path: '/api/hub/agents', status: 201, auth: 'key', role: null, rate: 'write', price: null, model: null, idempotent: true, envelope: true, bodyBytesMax: 8388608, mediaTypes: ['application/json'] },
    generateWithAgent: { operationId: 'generateWithAgent', tag: 'agents', method: 'POST', path: '/api/hub/agents/generate', status: 200, auth: 'key', role: null, rate: 'llm', price: 'chat_completion', model: 'chat', withoutModel: 'part', idempotent: true, envelope: true, bodyBytesMax: 8388608, mediaTypes: ['application/json'] },
    chatWithAgent: { operationId: 'chatWithAgent', tag: 'agents', method: 'POST', path: '/api/hub/agents/chat', status: 200, auth: 'key', role: null, rate: 'llm', price: 'chat_completion', model: 'chat', withoutModel: 'part', idempotent: true, envelope: true, bodyBytesMax: 1048576, mediaTypes: ['application/json'], streams: true },
    getAgent: { operationId: 'getAgent', tag: 'agents', method: 'GET', path: '/api/hub/agents/:agent_id', status: 200, auth: 'key', role: null, rate: 'read', price: null, model: null, idempotent: false, envelope: true, bodyBytesMax: null, mediaTypes: [] },
    updateAgent: { operationId: 'updateAgent', tag: 'agents', method: 'PUT', path: '/api/hub/agents/:agent_id', status: 200, auth: 'key', role: null, rate: 'write', price: null, model: null, idempotent: false, envelope: true, bodyBytesMax: 8388608, mediaTypes: ['application/json'] },
    deleteAgent: { operationId: 'deleteAgent', tag: 'agents', method: 'DELETE', path: '/api/hub/agents/:agent_id', status: 204, auth: 'key', role: null, rate: 'write', price: null, model: null, idempotent: false, envelope: false, bodyBytesMax: null, mediaTypes: [] },
  },
};

export type IndexRagDocumentCall = KeyCall<operations['indexRagDocument'], undefined, true>;
export type RetrieveRagChunksCall = KeyCall<operations['retrieveRagChunks'], undefined, true>;
export type GenerateWithRagCall = KeyCall<operations['generateWithRag'], undefined, true>;
export type GetRagStatsCall = KeyCall<operations['getRagStats'], undefined, false>;
export type ListRagDocumentsCall = KeyCall<operations['listRagDocuments'], ListRagDocumentsQuery, false>;
export type GetRagDocumentCall = KeyCall<operations['getRagDocument'], undefined, false>;
export type DeleteRagDocumentCall = KeyCall<operations['deleteRagDocument'], undefined, false>;

/** Documents that are indexed, retrieved and answered from. */
export interface RagApi {
  /** Index a document. POST /api/hub/rag/index */
  indexRagDocument: (call: IndexRagDocumentCall) => Promise<IndexedRagDocumentResponse['data']>;
  /** Find the chunks that answer a query. POST /api/hub/rag/retrieve */
  retrieveRagChunks: (call: RetrieveRagChunksCall) => Promise<RagRetrievalResponse['data']>;
  /** Answer a question from the indexed documents. POST /api/hub/rag/generate */
  generateWithRag: (call: GenerateWithRagCall) => Promise<RagAnswerResponse['data'] | StreamedAnswer>;
  /** Count the indexed documents. GET /api/hub/rag/stats */
  getRagStats: (call: GetRagStatsCall) => Promise<RagStatsResponse['data']>;
  /** List the account's indexed documents. GET /api/hub/rag/documents */
  listRagDocuments: (call: ListRagDocumentsCall) => Promise<RagDocumentListResponse['data']>;
  /** Get an indexed document. GET /api/hub/rag/documents/{document_id} */
  getRagDocument: (call: GetRagDocumentCall) => Promise<RagDocumentResponse['data']>;
  /** Delete an indexed document. DELETE /api/hub/rag/documents/{document_id} */
  deleteRagDocument: (call: DeleteRagDocumentCall) => Promise<void>;
}

export const ragApi: ApiTable<RagApi> = {
  tag: 'rag',
  operations: {
    indexRagDocument: { operationId: 'indexRagDocument', tag: 'rag', method: 'POST', path: '/api/hub/rag/index', status: 201, auth: 'key', role: null, rate: 'write', price: 'indexing', model: null, idempotent: true, envelope: true, bodyBytesMax: 8388608, mediaTypes: ['application/json'] },
    retrieveRagChunks: { operationId: 'retrieveRagChunks', tag: 'rag', method: 'POST', path: '/api/hub/rag/retrieve', status: 200, auth: 'key', role: null, rate: 'read', price: 'retrieval', model: null, idempotent: true, envelope: true, bodyBytesMax: 1048576, mediaTypes: ['application/json'] },
    generateWithRag: { operationId: 'generateWithRag', tag: 'rag', method: 'POST', path: '/api/hub/rag/generate', status: 200, auth: 'key', role: null, rate: 'llm', price: 'rag_generation', model: 'chat', withoutModel: 'whole', idempotent: true, envelope: true, bodyBytesMax: 1048576, mediaTypes: ['application/json'], streams: true },
    getRagStats: { operationId: 'getRagStats', tag: 'rag', method: 'GET', path: '/api/hub/rag/stats', status: 200, auth: 'key', role: null, rate: 'read', price: null, model: null, idempotent: false, envelope: true, bodyBytesMax: null, mediaTypes: [] },
    listRagDocuments: { operationId: 'listRagDocuments', tag: 'rag', method: 'GET', path: '/api/hub/rag/documents', status: 200, auth: 'key', role: null, rate: 'read', price: null, model: null, idempotent: false, envelope: true, bodyBytesMax: null, mediaTypes: [] },
    getRagDocument: { operationId: 'getRagDocument', tag: 'rag', method: 'GET', path: '/api/hub/rag/documents/:document_id', status: 200, auth: 'key', role: null, rate: 'read', price: null, model: null, idempotent: false, envelope: true, bodyBytesMax: null, mediaTypes: [] },
    deleteRagDocument: { operationId: 'deleteRagDocument', tag: 'rag', method: 'DELETE', path: '/api/hub/rag/documents/:document_id', status: 204, auth: 'key', role: null, rate: 'write', price: null, model: null, idempotent: false, envelope: false, bodyBytesMax: null, mediaTypes: [] },
  },
};

export type IndexSearchItemsCall = KeyCall<operations['indexSearchItems'], undefined, true>;
export type SearchCall = KeyCall<operations['search'], undefined, true>;
export type GetSearchItemCall = KeyCall<operations['getSearchItem'], undefined, false>;
export type DeleteSearchItemCall = KeyCall<operations['deleteSearchItem'], undefined, false>;

/** Items that are indexed and searched. */
export interface SearchApi {
  /** Index items to search. POST /api/hub/search/index */
  indexSearchItems: (call: IndexSearchItemsCall) => Promise<IndexedSearchItemsResponse['data']>;
  /** Search the indexed items. POST /api/hub/search */
  search: (call: SearchCall) => Promise<SearchResponse['data']>;
  /** Get an item. GET /api/hub/search/items/{item_id} */
  getSearchItem: (call: GetSearchItemCall) => Promise<SearchItemResponse['data']>;
  /** Delete an item. DELETE /api/hub/search/items/{item_id} */
  deleteSearchItem: (call: DeleteSearchItemCall) => Promise<void>;
}

export const searchApi: ApiTable<SearchApi> = {
  tag: 'search',
  operations: {
    indexSearchItems: { operationId: 'indexSearchItems', tag: 'search', method: 'POST', path: '/api/hub/search/index', status: 201, auth: 'key', role: null, rate: 'write', price: 'indexing', model: null, idempotent: true, envelope: true, bodyBytesMax: 1048576, mediaTypes: ['application/json'] },
    search: { operationId: 'search', tag: 'search', method: 'POST', path: '/api/hub/search', status: 200, auth: 'key', role: null, rate: 'read', price: 'retrieval', model: null, idempotent: true, envelope: true, bodyBytesMax: 1048576, mediaTypes: ['application/json'] },
    getSearchItem: { operationId: 'getSearchItem', tag: 'search', method: 'GET', path: '/api/hub/search/items/:item_id', status: 200, auth: 'key', role: null, rate: 'read', price: null, model: null, idempotent: false, envelope: true, bodyBytesMax: null, mediaTypes: [] },
    deleteSearchItem: { operationId: 'deleteSearchItem', tag: 'search', method: 'DELETE', path: '/api/hub/search/items/:item_id', status: 204, auth: 'key', role: null, rate: 'write', price: null, model: null, idempotent: false, envelope: false, bodyBytesMax: null, mediaTypes: [] },
  },
};

export type ListTasksCall = KeyCall<operations['listTasks'], ListTasksQuery, false>;
export type SubmitTaskCall = KeyCall<operations['submitTask'], undefined, true>;
export type GetTaskCall = KeyCall<operations['getTask'], undefined, false>;
export type CancelTaskCall = KeyCall<operations['cancelTask'], undefined, false>;

/** Operations that run in the background. */
export interface TasksApi {
  /** List the account's tasks. GET /api/hub/tasks */
  listTasks: (call: ListTasksCall) => Promise<TaskListResponse['data']>;
  /** Submit a task. POST /api/hub/tasks */
  submitTask: (call: SubmitTaskCall) => Promise<TaskResponse['data']>;
  /** Get a task. GET /api/hub/tasks/{task_id} */
  getTask: (call: GetTaskCall) => Promise<TaskResponse['data']>;
  /** Cancel a task. POST /api/hub/tasks/{task_id}/cancel */
  cancelTask: (call: CancelTaskCall) => Promise<TaskResponse['data']>;
}

export const tasksApi: ApiTable<TasksApi> = {
  tag: 'tasks',
  operations: {
    listTasks: { operationId: 'listTasks', tag: 'tasks', method: 'GET', path: '/api/hub/tasks', status: 200, auth: 'key', role: null, rate: 'read', price: null, model: null, idempotent: false, envelope: true, bodyBytesMax: null, mediaTypes: [] },
    submitTask: { operationId: 'submitTask', tag: 'tasks', method: 'POST', path: '/api/hub/tasks', status: 201, auth: 'key', role: null, rate: 'write', price: 'task_submission', model: null, idempotent: true, envelope: true, bodyBytesMax: 1048576, mediaTypes: ['application/json'] },
    getTask: { operationId: 'getTask', tag: 'tasks', method: 'GET', path: '/api/hub/tasks/:task_id', status: 200, auth: 'key', role: null, rate: 'read', price: null, model: null, idempotent: false, envelope: true, bodyBytesMax: null, mediaTypes: [] },
    cancelTask: { operationId: 'cancelTask', tag: 'tasks', method: 'POST', path: '/api/hub/tasks/:task_id/cancel', status: 200, auth: 'key', role: null, rate: 'write', price: null, model: null, idempotent: false, envelope: true, bodyBytesMax: null, mediaTypes: [] },
  },
};

export type GenerateStoryCall = KeyCall<operations['generateStory'], undefined, true>;
export type ListStoriesCall = KeyCall<operations['listStories'], ListStoriesQuery, false>;
export type GetStoryCall = KeyCall<operations['getStory'], undefined, false>;
export type DeleteStoryCall = KeyCall<operations['deleteStory'], undefined, false>;

/** Generated stories. */
export interface StoriesApi {
  /** Generate a story. POST /api/hub/story/generate */
  generateStory: (call: GenerateStoryCall) => Promise<StoryResponse['data'] | StreamedAnswer>;
  /** List the account's stories. GET /api/hub/story */
  listStories: (call: ListStoriesCall) => Promise<StoryListResponse['data']>;
  /** Get a story. GET /api/hub/story/{story_id} */
  getStory: (call: GetStoryCall) => Promise<StoryResponse['data']>;
  /** Delete a story. DELETE /api/hub/story/{story_id} */
  deleteStory: (call: DeleteStoryCall) => Promise<void>;
}

export const storiesApi: ApiTable<StoriesApi> = {
  tag: 'stories',
  operations: {
    generateStory: { operationId: 'generateStory', tag: 'stories', method: 'POST', path: '/api/hub/story/generate', status: 201, auth: 'key', role: null, rate: 'llm', price: 'story_generation', model: 'chat', withoutModel: 'none', idempotent: true, envelope: true, bodyBytesMax: 1048576, mediaTypes: ['application/json'], streams: true },
    listStories: { operationId: 'listStories', tag: 'stories', method: 'GET', path: '/api/hub/story', status: 200, auth: 'key', role: null, rate: 'read', price: null, model: null, idempotent: false, envelope: true, bodyBytesMax: null, mediaTypes: [] },
    getStory: { operationId: 'getStory', tag: 'stories', method: 'GET', path: '/api/hub/story/:story_id', status: 200, auth: 'key', role: null, rate: 'read', price: null, model: null, idempotent: false, envelope: true, bodyBytesMax: null, mediaTypes: [] },
    deleteStory: { operationId: 'deleteStory', tag: 'stories', method: 'DELETE', path: '/api/hub/story/:story_id', status: 204, auth: 'key', role: null, rate: 'write', price: null, model: null, idempotent: false, envelope: false, bodyBytesMax: null, mediaTypes: [] },
  },
};

export type GetSystemInfoCall = KeyCall<operations['getSystemInfo'], undefined, false>;
export type GetSystemMetricsCall = KeyCall<operations['getSystemMetrics'], undefined, false>;
export type GetSystemResourcesCall = KeyCall<operations['getSystemResources'], undefined, false>;

/** What the service offers, and how it is doing. */
export interface SystemApi {
  /** What this service is and offers. GET /api/hub/system/info */
  getSystemInfo: (call: GetSystemInfoCall) => Promise<SystemInfoResponse['data']>;
  /** How the service is doing. GET /api/hub/system/metrics */
  getSystemMetrics: (call: GetSystemMetricsCall) => Promise<SystemMetricsResponse['data']>;
  /** What the answering replica has. GET /api/hub/system/resources */
  getSystemResources: (call: GetSystemResourcesCall) => Promise<SystemResourcesResponse['data']>;
}

export const systemApi: ApiTable<SystemApi> = {
  tag: 'system',
  operations: {
    getSystemInfo: { operationId: 'getSystemInfo', tag: 'system', method: 'GET', path: '/api/hub/system/info', status: 200, auth: 'key', role: null, rate: 'read', price: null, model: null, idempotent: false, envelope: true, bodyBytesMax: null, mediaTypes: [] },
    getSystemMetrics: { operationId: 'getSystemMetrics', tag: 'system', method: 'GET', path: '/api/hub/system/metrics', status: 200, auth: 'key', role: null, rate: 'read', price: null, model: null, idempotent: false, envelope: true, bodyBytesMax: null, mediaTypes: [] },
    getSystemResources: { operationId: 'getSystemResources', tag: 'system', method: 'GET', path: '/api/hub/system/resources', status: 200, auth: 'key', role: null, rate: 'read', price: null, model: null, idempotent: false, envelope: true, bodyBytesMax: null, mediaTypes: [] },
  },
};

export type CreateChatCompletionCall = KeyCall<operations['createChatCompletion'], undefined, true>;
export type CreateCompletionCall = KeyCall<operations['createCompletion'], undefined, true>;
export type CreateResponseCall = KeyCall<operations['createResponse'], undefined, true>;
export type CreateMessageCall = KeyCall<operations['createMessage'], CreateMessageQuery, true>;
export type CountMessageTokensCall = KeyCall<operations['countMessageTokens'], CountMessageTokensQuery, false>;
export type CreateEmbeddingCall = KeyCall<operations['createEmbedding'], undefined, true>;
export type ListModelsCall = KeyCall<operations['listModels'], undefined, false>;
export type GetModelCall = KeyCall<operations['getModel'], undefined, false>;

/** Chat-completion-compatible operations. */
export interface V1Api {
  /** Answer a conversation. POST /v1/chat/completions */
  createChatCompletion: (call: CreateChatCompletionCall) => Promise<ChatCompletion | StreamedAnswer>;
  /** Complete a text. POST /v1/completions */
  createCompletion: (call: CreateCompletionCall) => Promise<TextCompletion | StreamedAnswer>;
  /** Answer with a response. POST /v1/responses */
  createResponse: (call: CreateResponseCall) => Promise<ModelResponse | StreamedAnswer>;
  /** Answer with a message. POST /v1/messages */
  createMessage: (call: CreateMessageCall) => Promise<AnsweredMessage | StreamedAnswer>;
  /** Count the tokens of a message's input. POST /v1/messages/count_tokens */
  countMessageTokens: (call: CountMessageTokensCall) => Promise<MessageTokens>;
  /** Turn texts into vectors. POST /v1/embeddings */
  createEmbedding: (call: CreateEmbeddingCall) => Promise<EmbeddingList>;
  /** List the models that can be called. GET /v1/models */
  listModels: (call: ListModelsCall) => Promise<ModelList>;
  /** Describe a model. GET /v1/models/{model} */
  getModel: (call: GetModelCall) => Promise<Model>;
}

export const v1Api: ApiTable<V1Api> = {
  tag: 'v1',
  operations: {
    createChatCompletion: { operationId: 'createChatCompletion', tag: 'v1', method: 'POST', path: '/v1/chat/completions', status: 200, auth: 'key', role: null, rate: 'llm', price: 'chat_completion', model: 'chat', withoutModel: 'part', idempotent: true, envelope: false, bodyBytesMax: 33554432, mediaTypes: ['application/json'], streams: true },
    createCompletion: { operationId: 'createCompletion', tag: 'v1', method: 'POST', path: '/v1/completions', status: 200, auth: 'key', role: null, rate: 'llm', price: 'chat_completion', model: 'complete', withoutModel: 'part', idempotent: true, envelope: false, bodyBytesMax: 33554432, mediaTypes: ['application/json'], streams: true },
    createResponse: { operationId: 'createResponse', tag: 'v1', method: 'POST', path: '/v1/responses', status: 200, auth: 'key', role: null, rate: 'llm', price: 'chat_completion', model: 'respond', withoutModel: 'part', idempotent: true, envelope: false, bodyBytesMax: 33554432, mediaTypes: ['application/json'], streams: true },
    createMessage: { operationId: 'createMessage', tag: 'v1', method: 'POST', path: '/v1/messages', status: 200, auth: 'key', role: null, rate: 'llm', price: 'chat_completion', model: 'chat', withoutModel: 'part', idempotent: true, envelope: false, bodyBytesMax: 33554432, mediaTypes: ['application/json'], streams: true },
    countMessageTokens: { operationId: 'countMessageTokens', tag: 'v1', method: 'POST', path: '/v1/messages/count_tokens', status: 200, auth: 'key', role: null, rate: 'write', price: null, model: null, idempotent: false, envelope: false, bodyBytesMax: 33554432, mediaTypes: ['application/json'] },
    createEmbedding: { operationId: 'createEmbedding', tag: 'v1', method: 'POST', path: '/v1/embeddings', status: 200, auth: 'key', role: null, rate: 'llm', price: 'embeddings', model: 'embed', withoutModel: 'whole', idempotent: true, envelope: false, bodyBytesMax: 33554432, mediaTypes: ['application/json'] },
    listModels: { operationId: 'listModels', tag: 'v1', method: 'GET', path: '/v1/models', status: 200, auth: 'key', role: null, rate: 'read', price: null, model: null, idempotent: false, envelope: false, bodyBytesMax: null, mediaTypes: [] },
    getModel: { operationId: 'getModel', tag: 'v1', method: 'GET', path: '/v1/models/:model', status: 200, auth: 'key', role: null, rate: 'read', price: null, model: null, idempotent: false, envelope: false, bodyBytesMax: null, mediaTypes: [] },
  },
};

export type UploadDocumentCall = AccountCall<operations['uploadDocument'], undefined, true>;
export type ListDocumentsCall = AccountCall<operations['listDocuments'], ListDocumentsQuery, false>;
export type GetDocumentCall = AccountCall<operations['getDocument'], undefined, false>;
export type DeleteDocumentCall = AccountCall<operations['deleteDocument'], undefined, false>;
export type GetDocumentContentCall = AccountCall<operations['getDocumentContent'], undefined, false>;
export type ProcessDocumentCall = AccountCall<operations['processDocument'], undefined, true>;
export type ExtractDocumentCall = AccountCall<operations['extractDocument'], undefined, true>;

/** Uploaded documents. */
export interface DocumentsApi {
  /** Upload a document. POST /api/documents/upload */
  uploadDocument: (call: UploadDocumentCall) => Promise<UploadedDocumentResponse['data']>;
  /** List the account's documents. GET /api/documents */
  listDocuments: (call: ListDocumentsCall) => Promise<DocumentListResponse['data']>;
  /** Get a document's record. GET /api/documents/{doc_id} */
  getDocument: (call: GetDocumentCall) => Promise<DocumentResponse['data']>;
  /** Delete a document. DELETE /api/documents/{doc_id} */
  deleteDocument: (call: DeleteDocumentCall) => Promise<void>;
  /** Get a document's file. GET /api/documents/{doc_id}/content */
  getDocumentContent: (call: GetDocumentContentCall) => Promise<BinaryAnswer>;
  /** Process a document. POST /api/documents/{doc_id}/process */
  processDocument: (call: ProcessDocumentCall) => Promise<DocumentResponse['data']>;
  /** Extract facts from a document. POST /api/documents/{doc_id}/extract */
  extractDocument: (call: ExtractDocumentCall) => Promise<DocumentExtractResponse['data']>;
}

export const documentsApi: ApiTable<DocumentsApi> = {
  tag: 'documents',
  operations: {
    uploadDocument: { operationId: 'uploadDocument', tag: 'documents', method: 'POST', path: '/api/documents/upload', status: 201, auth: 'jwt', role: null, rate: 'heavy', price: 'document_upload', model: null, idempotent: true, envelope: true, bodyBytesMax: 26345472, mediaTypes: ['multipart/form-data'], form: {"file":"file","json":["metadata"]} },
    listDocuments: { operationId: 'listDocuments', tag: 'documents', method: 'GET', path: '/api/documents', status: 200, auth: 'jwt', role: null, rate: 'read', price: null, model: null, idempotent: false, envelope: true, bodyBytesMax: null, mediaTypes: [] },
    getDocument: { operationId: 'getDocument', tag: 'documents', method: 'GET', path: '/api/documents/:doc_id', status: 200, auth: 'jwt', role: null, rate: 'read', price: null, model: null, idempotent: false, envelope: true, bodyBytesMax: null, mediaTypes: [] },
    deleteDocument: { operationId: 'deleteDocument', tag: 'documents', method: 'DELETE', path: '/api/documents/:doc_id', status: 204, auth: 'jwt', role: null, rate: 'write', price: null, model: null, idempotent: false, envelope: false, bodyBytesMax: null, mediaTypes: [] },
    getDocumentContent: { operationId: 'getDocumentContent', tag: 'documents', method: 'GET', path: '/api/documents/:doc_id/content', status: 200, auth: 'jwt', role: null, rate: 'read', price: null, model: null, idempotent: false, envelope: false, bodyBytesMax: null, mediaTypes: [], answerType: '*/*' },
    processDocument: { operationId: 'processDocument', tag: 'documents', method: 'POST', path: '/api/documents/:doc_id/process', status: 200, auth: 'jwt', role: null, rate: 'heavy', price: 'document_processing', model: null, idempotent: true, envelope: true, bodyBytesMax: null, mediaTypes: [] },
    extractDocument: { operationId: 'extractDocument', tag: 'documents', method: 'POST', path: '/api/documents/:doc_id/extract', status: 200, auth: 'jwt', role: null, rate: 'llm', price: 'document_extraction', model: 'chat', withoutModel: 'part', idempotent: true, envelope: true, bodyBytesMax: 1048576, mediaTypes: ['application/json'] },
  },
};

export type ProcessAdvancedCall = KeyCall<operations['processAdvanced'], undefined, true>;
export type AnalyzeAdvancedCall = KeyCall<operations['analyzeAdvanced'], undefined, true>;
export type GenerateAdvancedCall = KeyCall<operations['generateAdvanced'], undefined, true>;
export type OptimizeAdvancedCall = KeyCall<operations['optimizeAdvanced'], undefined, true>;

/** Texts that are processed, analyzed, written and improved. */
export interface AdvancedApi {
  /** Process a text in one of several ways. POST /api/advanced/process */
  processAdvanced: (call: ProcessAdvancedCall) => Promise<ProcessedContentResponse['data']>;
  /** Analyze a text. POST /api/advanced/analyze */
  analyzeAdvanced: (call: AnalyzeAdvancedCall) => Promise<ContentAnalysisResponse['data']>;
  /** Write a text, or fill a template. POST /api/advanced/generate */
  generateAdvanced: (call: GenerateAdvancedCall) => Promise<GeneratedContentResponse['data']>;
  /** Make a text shorter and clearer. POST /api/advanced/optimize */
  optimizeAdvanced: (call: OptimizeAdvancedCall) => Promise<OptimizedContentResponse['data']>;
}

export const advancedApi: ApiTable<AdvancedApi> = {
  tag: 'advanced',
  operations: {
    processAdvanced: { operationId: 'processAdvanced', tag: 'advanced', method: 'POST', path: '/api/advanced/process', status: 200, auth: 'key', role: null, rate: 'llm', price: 'advanced_processing', model: 'chat', withoutModel: 'part', idempotent: true, envelope: true, bodyBytesMax: 1048576, mediaTypes: ['application/json'] },
    analyzeAdvanced: { operationId: 'analyzeAdvanced', tag: 'advanced', method: 'POST', path: '/api/advanced/analyze', status: 200, auth: 'key', role: null, rate: 'llm', price: 'advanced_processing', model: 'chat', withoutModel: 'part', idempotent: true, envelope: true, bodyBytesMax: 8388608, mediaTypes: ['application/json'] },
    generateAdvanced: { operationId: 'generateAdvanced', tag: 'advanced', method: 'POST', path: '/api/advanced/generate', status: 200, auth: 'key', role: null, rate: 'llm', price: 'advanced_processing', model: 'chat', withoutModel: 'part', idempotent: true, envelope: true, bodyBytesMax: 1048576, mediaTypes: ['application/json'] },
    optimizeAdvanced: { operationId: 'optimizeAdvanced', tag: 'advanced', method: 'POST', path: '/api/advanced/optimize', status: 200, auth: 'key', role: null, rate: 'llm', price: 'advanced_processing', model: 'chat', withoutModel: 'none', idempotent: true, envelope: true, bodyBytesMax: 8388608, mediaTypes: ['application/json'] },
  },
};

export type GetOmmHealthCall = OpenCall<operations['getOmmHealth'], undefined, false>;
export type ProcessInputsCall = KeyCall<operations['processInputs'], undefined, true>;
export type AnalyzeInputsCall = KeyCall<operations['analyzeInputs'], undefined, true>;
export type GenerateFromInputsCall = KeyCall<operations['generateFromInputs'], undefined, true>;
export type TransformInputCall = KeyCall<operations['transformInput'], undefined, true>;
export type RunOmmBatchCall = KeyCall<operations['runOmmBatch'], undefined, false>;
export type ListOmmModelsCall = KeyCall<operations['listOmmModels'], undefined, false>;

/** Texts, images and documents together. */
export interface OmmApi {
  /** Ask whether the multi-modal operations answer. GET /api/omm/health */
  getOmmHealth: (call: GetOmmHealthCall) => Promise<Health>;
  /** Work on texts, images and documents. POST /api/omm/process */
  processInputs: (call: ProcessInputsCall) => Promise<OmmProcessedResponse['data']>;
  /** Measure texts, images and documents. POST /api/omm/analyze */
  analyzeInputs: (call: AnalyzeInputsCall) => Promise<OmmAnalysisResponse['data']>;
  /** Write a text from a prompt and inputs. POST /api/omm/generate */
  generateFromInputs: (call: GenerateFromInputsCall) => Promise<OmmGeneratedResponse['data']>;
  /** Bring an input into another form. POST /api/omm/transform */
  transformInput: (call: TransformInputCall) => Promise<OmmTransformedResponse['data']>;
  /** Run several multi-modal operations. POST /api/omm/batch */
  runOmmBatch: (call: RunOmmBatchCall) => Promise<OmmBatchResponse['data']>;
  /** Ask what can be done, and by which models. GET /api/omm/models */
  listOmmModels: (call: ListOmmModelsCall) => Promise<OmmModelsResponse['data']>;
}

export const ommApi: ApiTable<OmmApi> = {
  tag: 'omm',
  operations: {
    getOmmHealth: { operationId: 'getOmmHealth', tag: 'omm', method: 'GET', path: '/api/omm/health', status: 200, auth: 'none', role: null, rate: 'health', price: null, model: null, idempotent: false, envelope: false, bodyBytesMax: null, mediaTypes: [] },
    processInputs: { operationId: 'processInputs', tag: 'omm', method: 'POST', path: '/api/omm/process', status: 200, auth: 'key', role: null, rate: 'llm', price: 'omm_processing', model: 'chat', withoutModel: 'part', idempotent: true, envelope: true, bodyBytesMax: 16777216, mediaTypes: ['application/json'] },
    analyzeInputs: { operationId: 'analyzeInputs', tag: 'omm', method: 'POST', path: '/api/omm/analyze', status: 200, auth: 'key', role: null, rate: 'heavy', price: 'omm_processing', model: null, idempotent: true, envelope: true, bodyBytesMax: 16777216, mediaTypes: ['application/json'] },
    generateFromInputs: { operationId: 'generateFromInputs', tag: 'omm', method: 'POST', path: '/api/omm/generate', status: 200, auth: 'key', role: null, rate: 'llm', price: 'omm_processing', model: 'chat', withoutModel: 'part', idempotent: true, envelope: true, bodyBytesMax: 16777216, mediaTypes: ['application/json'] },
    transformInput: { operationId: 'transformInput', tag: 'omm', method: 'POST', path: '/api/omm/transform', status: 200, auth: 'key', role: null, rate: 'heavy', price: 'omm_processing', model: null, idempotent: true, envelope: true, bodyBytesMax: 16777216, mediaTypes: ['application/json'] },
    runOmmBatch: { operationId: 'runOmmBatch', tag: 'omm', method: 'POST', path: '/api/omm/batch', status: 200, auth: 'key', role: null, rate: 'heavy', price: null, model: null, idempotent: true, envelope: true, bodyBytesMax: 16777216, mediaTypes: ['application/json'], itemCosts: true },
    listOmmModels: { operationId: 'listOmmModels', tag: 'omm', method: 'GET', path: '/api/omm/models', status: 200, auth: 'key', role: null, rate: 'read', price: null, model: null, idempotent: false, envelope: true, bodyBytesMax: null, mediaTypes: [] },
  },
};

export type SummarizeLegalCall = AccountCall<operations['summarizeLegal'], undefined, true>;
export type AnalyzeLegalCall = AccountCall<operations['analyzeLegal'], undefined, true>;
export type ExtractLegalCall = AccountCall<operations['extractLegal'], undefined, true>;
export type CompareLegalCall = AccountCall<operations['compareLegal'], undefined, true>;

/** Legal texts. */
export interface LegalApi {
  /** Summarize a legal text. POST /api/legal/summarize */
  summarizeLegal: (call: SummarizeLegalCall) => Promise<LegalSummaryResponse['data']>;
  /** Analyze a legal text. POST /api/legal/analyze */
  analyzeLegal: (call: AnalyzeLegalCall) => Promise<LegalAnalysisResponse['data']>;
  /** Extract the facts of a legal text. POST /api/legal/extract */
  extractLegal: (call: ExtractLegalCall) => Promise<LegalFactsResponse['data']>;
  /** Compare two legal texts. POST /api/legal/compare */
  compareLegal: (call: CompareLegalCall) => Promise<LegalComparisonResponse['data']>;
}

export const legalApi: ApiTable<LegalApi> = {
  tag: 'legal',
  operations: {
    summarizeLegal: { operationId: 'summarizeLegal', tag: 'legal', method: 'POST', path: '/api/legal/summarize', status: 200, auth: 'jwt', role: null, rate: 'llm', price: 'legal_analysis', model: 'chat', withoutModel: 'whole', idempotent: true, envelope: true, bodyBytesMax: 8388608, mediaTypes: ['application/json'] },
    analyzeLegal: { operationId: 'analyzeLegal', tag: 'legal', method: 'POST', path: '/api/legal/analyze', status: 200, auth: 'jwt', role: null, rate: 'llm', price: 'legal_analysis', model: 'chat', withoutModel: 'part', idempotent: true, envelope: true, bodyBytesMax: 8388608, mediaTypes: ['application/json'] },
    extractLegal: { operationId: 'extractLegal', tag: 'legal', method: 'POST', path: '/api/legal/extract', status: 200, auth: 'jwt', role: null, rate: 'llm', price: 'legal_analysis', model: 'chat', withoutModel: 'part', idempotent: true, envelope: true, bodyBytesMax: 8388608, mediaTypes: ['application/json'] },
    compareLegal: { operationId: 'compareLegal', tag: 'legal', method: 'POST', path: '/api/legal/compare', status: 200, auth: 'jwt', role: null, rate: 'llm', price: 'legal_analysis', model: 'chat', withoutModel: 'whole', idempotent: true, envelope: true, bodyBytesMax: 16777216, mediaTypes: ['application/json'] },
  },
};

export type AnalyzeProfessionalCall = AccountCall<operations['analyzeProfessional'], undefined, true>;
export type GenerateProfessionalCall = AccountCall<operations['generateProfessional'], undefined, true>;
export type OptimizeProfessionalCall = AccountCall<operations['optimizeProfessional'], undefined, true>;

/** Professional texts: analysis, documents, style. */
export interface ProfessionalApi {
  /** Analyze a professional text. POST /api/professional/analyze */
  analyzeProfessional: (call: AnalyzeProfessionalCall) => Promise<ProfessionalAnalysisResponse['data']>;
  /** Generate a professional document. POST /api/professional/generate */
  generateProfessional: (call: GenerateProfessionalCall) => Promise<ProfessionalDocumentResponse['data']>;
  /** Optimize a professional text. POST /api/professional/optimize */
  optimizeProfessional: (call: OptimizeProfessionalCall) => Promise<OptimizedTextResponse['data']>;
}

export const professionalApi: ApiTable<ProfessionalApi> = {
  tag: 'professional',
  operations: {
    analyzeProfessional: { operationId: 'analyzeProfessional', tag: 'professional', method: 'POST', path: '/api/professional/analyze', status: 200, auth: 'jwt', role: null, rate: 'llm', price: 'professional_services', model: 'chat', withoutModel: 'part', idempotent: true, envelope: true, bodyBytesMax: 8388608, mediaTypes: ['application/json'] },
    generateProfessional: { operationId: 'generateProfessional', tag: 'professional', method: 'POST', path: '/api/professional/generate', status: 200, auth: 'jwt', role: null, rate: 'llm', price: 'professional_services', model: 'chat', withoutModel: 'none', idempotent: true, envelope: true, bodyBytesMax: 1048576, mediaTypes: ['application/json'] },
    optimizeProfessional: { operationId: 'optimizeProfessional', tag: 'professional', method: 'POST', path: '/api/professional/optimize', status: 200, auth: 'jwt', role: null, rate: 'llm', price: 'professional_services', model: 'chat', withoutModel: 'none', idempotent: true, envelope: true, bodyBytesMax: 8388608, mediaTypes: ['application/json'] },
  },
};

export type ResearchScholarCall = AccountCall<operations['researchScholar'], undefined, true>;
export type CiteScholarCall = AccountCall<operations['citeScholar'], undefined, true>;
export type SummarizeScholarCall = AccountCall<operations['summarizeScholar'], undefined, true>;
export type AnalyzeScholarCall = AccountCall<operations['analyzeScholar'], undefined, true>;

/** Research, citations and scholarly texts. */
export interface ScholarApi {
  /** Answer a question from the account's own documents. POST /api/scholar/research */
  researchScholar: (call: ResearchScholarCall) => Promise<ScholarResearchResponse['data']>;
  /** Write references in a citation style. POST /api/scholar/cite */
  citeScholar: (call: CiteScholarCall) => Promise<ScholarCitationsResponse['data']>;
  /** Summarize a paper. POST /api/scholar/summarize */
  summarizeScholar: (call: SummarizeScholarCall) => Promise<ScholarSummaryResponse['data']>;
  /** Find what a paper consists of. POST /api/scholar/analyze */
  analyzeScholar: (call: AnalyzeScholarCall) => Promise<ScholarAnalysisResponse['data']>;
}

export const scholarApi: ApiTable<ScholarApi> = {
  tag: 'scholar',
  operations: {
    researchScholar: { operationId: 'researchScholar', tag: 'scholar', method: 'POST', path: '/api/scholar/research', status: 200, auth: 'jwt', role: null, rate: 'llm', price: 'scholar_services', model: 'chat', withoutModel: 'whole', idempotent: true, envelope: true, bodyBytesMax: 1048576, mediaTypes: ['application/json'] },
    citeScholar: { operationId: 'citeScholar', tag: 'scholar', method: 'POST', path: '/api/scholar/cite', status: 200, auth: 'jwt', role: null, rate: 'read', price: 'scholar_services', model: null, idempotent: true, envelope: true, bodyBytesMax: 1048576, mediaTypes: ['application/json'] },
    summarizeScholar: { operationId: 'summarizeScholar', tag: 'scholar', method: 'POST', path: '/api/scholar/summarize', status: 200, auth: 'jwt', role: null, rate: 'llm', price: 'scholar_services', model: 'chat', withoutModel: 'whole', idempotent: true, envelope: true, bodyBytesMax: 8388608, mediaTypes: ['application/json'] },
    analyzeScholar: { operationId: 'analyzeScholar', tag: 'scholar', method: 'POST', path: '/api/scholar/analyze', status: 200, auth: 'jwt', role: null, rate: 'llm', price: 'scholar_services', model: 'chat', withoutModel: 'whole', idempotent: true, envelope: true, bodyBytesMax: 8388608, mediaTypes: ['application/json'] },
  },
};

export type GenerateCreativeCall = AccountCall<operations['generateCreative'], undefined, true>;
export type EnhanceCreativeCall = AccountCall<operations['enhanceCreative'], undefined, true>;
export type BrainstormCreativeCall = AccountCall<operations['brainstormCreative'], undefined, true>;

/** Creative writing. */
export interface CreativeApi {
  /** Write a creative text. POST /api/creative/generate */
  generateCreative: (call: GenerateCreativeCall) => Promise<CreativeTextResponse['data']>;
  /** Suggest how a draft becomes better. POST /api/creative/enhance */
  enhanceCreative: (call: EnhanceCreativeCall) => Promise<EnhancementResponse['data']>;
  /** Find ideas on a topic. POST /api/creative/brainstorm */
  brainstormCreative: (call: BrainstormCreativeCall) => Promise<BrainstormResponse['data']>;
}

export const creativeApi: ApiTable<CreativeApi> = {
  tag: 'creative',
  operations: {
    generateCreative: { operationId: 'generateCreative', tag: 'creative', method: 'POST', path: '/api/creative/generate', status: 200, auth: 'jwt', role: null, rate: 'llm', price: 'creative_services', model: 'chat', withoutModel: 'none', idempotent: true, envelope: true, bodyBytesMax: 1048576, mediaTypes: ['application/json'] },
    enhanceCreative: { operationId: 'enhanceCreative', tag: 'creative', method: 'POST', path: '/api/creative/enhance', status: 200, auth: 'jwt', role: null, rate: 'llm', price: 'creative_services', model: 'chat', withoutModel: 'none', idempotent: true, envelope: true, bodyBytesMax: 8388608, mediaTypes: ['application/json'] },
    brainstormCreative: { operationId: 'brainstormCreative', tag: 'creative', method: 'POST', path: '/api/creative/brainstorm', status: 200, auth: 'jwt', role: null, rate: 'llm', price: 'creative_services', model: 'chat', withoutModel: 'none', idempotent: true, envelope: true, bodyBytesMax: 65536, mediaTypes: ['application/json'] },
  },
};

export type GenerateDocsCall = AccountCall<operations['generateDocs'], undefined, true>;
export type ImproveDocsCall = AccountCall<operations['improveDocs'], undefined, true>;
export type StructureDocsCall = AccountCall<operations['structureDocs'], undefined, true>;

/** Documentation of products. */
export interface DocsApi {
  /** Write a page of documentation. POST /api/docs/generate */
  generateDocs: (call: GenerateDocsCall) => Promise<GeneratedDocsResponse['data']>;
  /** Find what is wrong with a page of documentation. POST /api/docs/improve */
  improveDocs: (call: ImproveDocsCall) => Promise<DocsImprovementResponse['data']>;
  /** Find a page's structure. POST /api/docs/structure */
  structureDocs: (call: StructureDocsCall) => Promise<DocsStructureResponse['data']>;
}

export const docsApi: ApiTable<DocsApi> = {
  tag: 'docs',
  operations: {
    generateDocs: { operationId: 'generateDocs', tag: 'docs', method: 'POST', path: '/api/docs/generate', status: 200, auth: 'jwt', role: null, rate: 'llm', price: 'product_docs', model: 'chat', withoutModel: 'part', idempotent: true, envelope: true, bodyBytesMax: 8388608, mediaTypes: ['application/json'] },
    improveDocs: { operationId: 'improveDocs', tag: 'docs', method: 'POST', path: '/api/docs/improve', status: 200, auth: 'jwt', role: null, rate: 'llm', price: 'product_docs', model: 'chat', withoutModel: 'part', idempotent: true, envelope: true, bodyBytesMax: 8388608, mediaTypes: ['application/json'] },
    structureDocs: { operationId: 'structureDocs', tag: 'docs', method: 'POST', path: '/api/docs/structure', status: 200, auth: 'jwt', role: null, rate: 'llm', price: 'product_docs', model: null, idempotent: true, envelope: true, bodyBytesMax: 8388608, mediaTypes: ['application/json'] },
  },
};

export type ListWebhooksCall = AccountCall<operations['listWebhooks'], ListWebhooksQuery, false>;
export type CreateWebhookCall = AccountCall<operations['createWebhook'], undefined, false>;
export type GetWebhookCall = AccountCall<operations['getWebhook'], undefined, false>;
export type UpdateWebhookCall = AccountCall<operations['updateWebhook'], undefined, false>;
export type DeleteWebhookCall = AccountCall<operations['deleteWebhook'], undefined, false>;
export type RotateWebhookSecretCall = AccountCall<operations['rotateWebhookSecret'], undefined, false>;
export type ListDeliveriesCall = AccountCall<operations['listDeliveries'], ListDeliveriesQuery, false>;
export type GetDeliveryCall = AccountCall<operations['getDelivery'], undefined, false>;
export type TestWebhookCall = AccountCall<operations['testWebhook'], undefined, false>;
export type ReplayDeliveriesCall = AccountCall<operations['replayDeliveries'], undefined, false>;
export type RetryDeliveryCall = AccountCall<operations['retryDelivery'], undefined, false>;

/** Where events are sent, and how that went. */
export interface WebhooksApi {
  /** List the account's webhooks. GET /api/webhooks */
  listWebhooks: (call: ListWebhooksCall) => Promise<WebhookList>;
  /** Create a webhook. POST /api/webhooks */
  createWebhook: (call: CreateWebhookCall) => Promise<WebhookSecret>;
  /** Get a webhook. GET /api/webhooks/{webhook_id} */
  getWebhook: (call: GetWebhookCall) => Promise<Webhook>;
  /** Change a webhook, or switch it on or off. PUT /api/webhooks/{webhook_id} */
  updateWebhook: (call: UpdateWebhookCall) => Promise<Webhook>;
  /** Delete a webhook. DELETE /api/webhooks/{webhook_id} */
  deleteWebhook: (call: DeleteWebhookCall) => Promise<void>;
  /** Give a webhook a new secret. POST /api/webhooks/{webhook_id}/rotate-secret */
  rotateWebhookSecret: (call: RotateWebhookSecretCall) => Promise<WebhookSecret>;
  /** List the deliveries to a webhook. GET /api/webhooks/{webhook_id}/deliveries */
  listDeliveries: (call: ListDeliveriesCall) => Promise<DeliveryList>;
  /** Get a delivery to a webhook. GET /api/webhooks/{webhook_id}/deliveries/{delivery_id} */
  getDelivery: (call: GetDeliveryCall) => Promise<WebhookDeliveryDetails>;
  /** Send a test event to a webhook. POST /api/webhooks/{webhook_id}/test */
  testWebhook: (call: TestWebhookCall) => Promise<WebhookDelivery>;
  /** Retry the failed deliveries since a time. POST /api/webhooks/{webhook_id}/replay */
  replayDeliveries: (call: ReplayDeliveriesCall) => Promise<ReplayedDeliveries>;
  /** Retry a failed delivery. POST /api/webhooks/deliveries/{delivery_id}/retry */
  retryDelivery: (call: RetryDeliveryCall) => Promise<WebhookDelivery>;
}

export const webhooksApi: ApiTable<WebhooksApi> = {
  tag: 'webhooks',
  operations: {
    listWebhooks: { operationId: 'listWebhooks', tag: 'webhooks', method: 'GET', path: '/api/webhooks', status: 200, auth: 'jwt', role: null, rate: 'read', price: null, model: null, idempotent: false, envelope: false, bodyBytesMax: null, mediaTypes: [] },
    createWebhook: { operationId: 'createWebhook', tag: 'webhooks', method: 'POST', path: '/api/webhooks', status: 201, auth: 'jwt', role: null, rate: 'write', price: null, model: null, idempotent: true, envelope: false, bodyBytesMax: 65536, mediaTypes: ['application/json'], secretAnswer: true },
    getWebhook: { operationId: 'getWebhook', tag: 'webhooks', method: 'GET', path: '/api/webhooks/:webhook_id', status: 200, auth: 'jwt', role: null, rate: 'read', price: null, model: null, idempotent: false, envelope: false, bodyBytesMax: null, mediaTypes: [] },
    updateWebhook: { operationId: 'updateWebhook', tag: 'webhooks', method: 'PUT', path: '/api/webhooks/:webhook_id', status: 200, auth: 'jwt', role: null, rate: 'write', price: null, model: null, idempotent: false, envelope: false, bodyBytesMax: 65536, mediaTypes: ['application/json'] },
    deleteWebhook: { operationId: 'deleteWebhook', tag: 'webhooks', method: 'DELETE', path: '/api/webhooks/:webhook_id', status: 204, auth: 'jwt', role: null, rate: 'write', price: null, model: null, idempotent: false, envelope: false, bodyBytesMax: null, mediaTypes: [] },
    rotateWebhookSecret: { operationId: 'rotateWebhookSecret', tag: 'webhooks', method: 'POST', path: '/api/webhooks/:webhook_id/rotate-secret', status: 200, auth: 'jwt', role: null, rate: 'write', price: null, model: null, idempotent: true, envelope: false, bodyBytesMax: 8192, mediaTypes: ['application/json'], secretAnswer: true },
    listDeliveries: { operationId: 'listDeliveries', tag: 'webhooks', method: 'GET', path: '/api/webhooks/:webhook_id/deliveries', status: 200, auth: 'jwt', role: null, rate: 'read', price: null, model: null, idempotent: false, envelope: false, bodyBytesMax: null, mediaTypes: [] },
    getDelivery: { operationId: 'getDelivery', tag: 'webhooks', method: 'GET', path: '/api/webhooks/:webhook_id/deliveries/:delivery_id', status: 200, auth: 'jwt', role: null, rate: 'read', price: null, model: null, idempotent: false, envelope: false, bodyBytesMax: null, mediaTypes: [] },
    testWebhook: { operationId: 'testWebhook', tag: 'webhooks', method: 'POST', path: '/api/webhooks/:webhook_id/test', status: 200, auth: 'jwt', role: null, rate: 'write', price: null, model: null, idempotent: true, envelope: false, bodyBytesMax: 8192, mediaTypes: ['application/json'] },
    replayDeliveries: { operationId: 'replayDeliveries', tag: 'webhooks', method: 'POST', path: '/api/webhooks/:webhook_id/replay', status: 200, auth: 'jwt', role: null, rate: 'write', price: null, model: null, idempotent: false, envelope: false, bodyBytesMax: 8192, mediaTypes: ['application/json'] },
    retryDelivery: { operationId: 'retryDelivery', tag: 'webhooks', method: 'POST', path: '/api/webhooks/deliveries/:delivery_id/retry', status: 200, auth: 'jwt', role: null, rate: 'write', price: null, model: null, idempotent: false, envelope: false, bodyBytesMax: null, mediaTypes: [] },
  },
};

export type ListUsersCall = AccountCall<operations['listUsers'], ListUsersQuery, false>;
export type GetUserCall = AccountCall<operations['getUser'], undefined, false>;
export type UpdateUserCall = AccountCall<operations['updateUser'], undefined, false>;
export type CreatePasswordResetCall = AccountCall<operations['createPasswordReset'], undefined, false>;
export type LogoutUserCall = AccountCall<operations['logoutUser'], undefined, false>;
export type GetReconciliationCall = AccountCall<operations['getReconciliation'], undefined, false>;
export type ListAllPaymentsCall = AccountCall<operations['listAllPayments'], ListAllPaymentsQuery, false>;
export type GetAnyPaymentCall = AccountCall<operations['getAnyPayment'], undefined, false>;
export type ResolvePaymentCall = AccountCall<operations['resolvePayment'], undefined, false>;
export type GetWebhooksHealthCall = AccountCall<operations['getWebhooksHealth'], undefined, false>;
export type ListAllWebhooksCall = AccountCall<operations['listAllWebhooks'], ListAllWebhooksQuery, false>;
export type EnableWebhookCall = AccountCall<operations['enableWebhook'], undefined, false>;
export type ListAbandonedDeliveriesCall = AccountCall<operations['listAbandonedDeliveries'], ListAbandonedDeliveriesQuery, false>;
export type ListUpgradeRequestsCall = AccountCall<operations['listUpgradeRequests'], ListUpgradeRequestsQuery, false>;
export type ApproveUpgradeRequestCall = AccountCall<operations['approveUpgradeRequest'], undefined, false>;
export type RejectUpgradeRequestCall = AccountCall<operations['rejectUpgradeRequest'], undefined, false>;
export type GetCallCall = AccountCall<operations['getCall'], GetCallQuery, false>;
export type ListAdminActionsCall = AccountCall<operations['listAdminActions'], ListAdminActionsQuery, false>;

/** What operators need. */
export interface AdminApi {
  /** List the accounts. GET /api/admin/users */
  listUsers: (call: ListUsersCall) => Promise<AdminUserList>;
  /** Get an account. GET /api/admin/users/{user_id} */
  getUser: (call: GetUserCall) => Promise<AdminUserDetails>;
  /** Set an account's tier, own limits or access. PUT /api/admin/users/{user_id} */
  updateUser: (call: UpdateUserCall) => Promise<AdminUser>;
  /** Make a link that sets an account's password. POST /api/admin/users/{user_id}/password-reset */
  createPasswordReset: (call: CreatePasswordResetCall) => Promise<PasswordReset>;
  /** End every token and session of an account. POST /api/admin/users/{user_id}/logout */
  logoutUser: (call: LogoutUserCall) => Promise<void>;
  /** Compare every balance with its transactions. GET /api/admin/reconciliation */
  getReconciliation: (call: GetReconciliationCall) => Promise<Reconciliation>;
  /** List the payments of all accounts. GET /api/admin/payments */
  listAllPayments: (call: ListAllPaymentsCall) => Promise<AdminPaymentList>;
  /** Get a payment of any account. GET /api/admin/payments/{payment_id} */
  getAnyPayment: (call: GetAnyPaymentCall) => Promise<AdminPayment>;
  /** End the review of a payment. POST /api/admin/payments/{payment_id}/resolve */
  resolvePayment: (call: ResolvePaymentCall) => Promise<AdminPayment>;
  /** See whether events reach their receivers. GET /api/admin/webhooks/health */
  getWebhooksHealth: (call: GetWebhooksHealthCall) => Promise<WebhooksHealth>;
  /** List the webhooks of all accounts. GET /api/admin/webhooks */
  listAllWebhooks: (call: ListAllWebhooksCall) => Promise<AdminWebhookList>;
  /** Switch a webhook on again. POST /api/admin/webhooks/{webhook_id}/enable */
  enableWebhook: (call: EnableWebhookCall) => Promise<AdminWebhook>;
  /** List the deliveries that were given up. GET /api/admin/webhooks/abandoned-deliveries */
  listAbandonedDeliveries: (call: ListAbandonedDeliveriesCall) => Promise<AdminDeliveryList>;
  /** List the requests for another tier. GET /api/admin/upgrade-requests */
  listUpgradeRequests: (call: ListUpgradeRequestsCall) => Promise<AdminUpgradeRequestList>;
  /** Approve a request for another tier. POST /api/admin/upgrade-requests/{upgrade_request_id}/approve */
  approveUpgradeRequest: (call: ApproveUpgradeRequestCall) => Promise<AdminUpgradeRequest>;
  /** Reject a request for another tier. POST /api/admin/upgrade-requests/{upgrade_request_id}/reject */
  rejectUpgradeRequest: (call: RejectUpgradeRequestCall) => Promise<AdminUpgradeRequest>;
  /** Get the whole story of a call. GET /api/admin/requests/{request_id} */
  getCall: (call: GetCallCall) => Promise<AdminCall>;
  /** List what admins did. GET /api/admin/actions */
  listAdminActions: (call: ListAdminActionsCall) => Promise<AdminActionList>;
}

export const adminApi: ApiTable<AdminApi> = {
  tag: 'admin',
  operations: {
    listUsers: { operationId: 'listUsers', tag: 'admin', method: 'GET', path: '/api/admin/users', status: 200, auth: 'jwt', role: 'admin', rate: 'read', price: null, model: null, idempotent: false, envelope: false, bodyBytesMax: null, mediaTypes: [] },
    getUser: { operationId: 'getUser', tag: 'admin', method: 'GET', path: '/api/admin/users/:user_id', status: 200, auth: 'jwt', role: 'admin', rate: 'read', price: null, model: null, idempotent: false, envelope: false, bodyBytesMax: null, mediaTypes: [] },
    updateUser: { operationId: 'updateUser', tag: 'admin', method: 'PUT', path: '/api/admin/users/:user_id', status: 200, auth: 'jwt', role: 'admin', rate: 'write', price: null, model: null, idempotent: false, envelope: false, bodyBytesMax: 8192, mediaTypes: ['application/json'] },
    createPasswordReset: { operationId: 'createPasswordReset', tag: 'admin', method: 'POST', path: '/api/admin/users/:user_id/password-reset', status: 200, auth: 'jwt', role: 'admin', rate: 'write', price: null, model: null, idempotent: false, envelope: false, bodyBytesMax: 8192, mediaTypes: ['application/json'], recentPassword: true },
    logoutUser: { operationId: 'logoutUser', tag: 'admin', method: 'POST', path: '/api/admin/users/:user_id/logout', status: 204, auth: 'jwt', role: 'admin', rate: 'write', price: null, model: null, idempotent: false, envelope: false, bodyBytesMax: 8192, mediaTypes: ['application/json'] },
    getReconciliation: { operationId: 'getReconciliation', tag: 'admin', method: 'GET', path: '/api/admin/reconciliation', status: 200, auth: 'jwt', role: 'admin', rate: 'read', price: null, model: null, idempotent: false, envelope: false, bodyBytesMax: null, mediaTypes: [] },
    listAllPayments: { operationId: 'listAllPayments', tag: 'admin', method: 'GET', path: '/api/admin/payments', status: 200, auth: 'jwt', role: 'admin', rate: 'read', price: null, model: null, idempotent: false, envelope: false, bodyBytesMax: null, mediaTypes: [] },
    getAnyPayment: { operationId: 'getAnyPayment', tag: 'admin', method: 'GET', path: '/api/admin/payments/:payment_id', status: 200, auth: 'jwt', role: 'admin', rate: 'read', price: null, model: null, idempotent: false, envelope: false, bodyBytesMax: null, mediaTypes: [] },
    resolvePayment: { operationId: 'resolvePayment', tag: 'admin', method: 'POST', path: '/api/admin/payments/:payment_id/resolve', status: 200, auth: 'jwt', role: 'admin', rate: 'write', price: null, model: null, idempotent: true, envelope: false, bodyBytesMax: 8192, mediaTypes: ['application/json'], recentPassword: true },
    getWebhooksHealth: { operationId: 'getWebhooksHealth', tag: 'admin', method: 'GET', path: '/api/admin/webhooks/health', status: 200, auth: 'jwt', role: 'admin', rate: 'read', price: null, model: null, idempotent: false, envelope: false, bodyBytesMax: null, mediaTypes: [] },
    listAllWebhooks: { operationId: 'listAllWebhooks', tag: 'admin', method: 'GET', path: '/api/admin/webhooks', status: 200, auth: 'jwt', role: 'admin', rate: 'read', price: null, model: null, idempotent: false, envelope: false, bodyBytesMax: null, mediaTypes: [] },
    enableWebhook: { operationId: 'enableWebhook', tag: 'admin', method: 'POST', path: '/api/admin/webhooks/:webhook_id/enable', status: 200, auth: 'jwt', role: 'admin', rate: 'write', price: null, model: null, idempotent: true, envelope: false, bodyBytesMax: 8192, mediaTypes: ['application/json'] },
    listAbandonedDeliveries: { operationId: 'listAbandonedDeliveries', tag: 'admin', method: 'GET', path: '/api/admin/webhooks/abandoned-deliveries', status: 200, auth: 'jwt', role: 'admin', rate: 'read', price: null, model: null, idempotent: false, envelope: false, bodyBytesMax: null, mediaTypes: [] },
    listUpgradeRequests: { operationId: 'listUpgradeRequests', tag: 'admin', method: 'GET', path: '/api/admin/upgrade-requests', status: 200, auth: 'jwt', role: 'admin', rate: 'read', price: null, model: null, idempotent: false, envelope: false, bodyBytesMax: null, mediaTypes: [] },
    approveUpgradeRequest: { operationId: 'approveUpgradeRequest', tag: 'admin', method: 'POST', path: '/api/admin/upgrade-requests/:upgrade_request_id/approve', status: 200, auth: 'jwt', role: 'admin', rate: 'write', price: null, model: null, idempotent: true, envelope: false, bodyBytesMax: 8192, mediaTypes: ['application/json'] },
    rejectUpgradeRequest: { operationId: 'rejectUpgradeRequest', tag: 'admin', method: 'POST', path: '/api/admin/upgrade-requests/:upgrade_request_id/reject', status: 200, auth: 'jwt', role: 'admin', rate: 'write', price: null, model: null, idempotent: true, envelope: false, bodyBytesMax: 8192, mediaTypes: ['application/json'] },
    getCall: { operationId: 'getCall', tag: 'admin', method: 'GET', path: '/api/admin/requests/:request_id', status: 200, auth: 'jwt', role: 'admin', rate: 'read', price: null, model: null, idempotent: false, envelope: false, bodyBytesMax: null, mediaTypes: [] },
    listAdminActions: { operationId: 'listAdminActions', tag: 'admin', method: 'GET', path: '/api/admin/actions', status: 200, auth: 'jwt', role: 'admin', rate: 'read', price: null, model: null, idempotent: false, envelope: false, bodyBytesMax: null, mediaTypes: [] },
  },
};

export type GetOperatorOverviewCall = AccountCall<operations['getOperatorOverview'], undefined, false>;
export type GetRevenueCall = AccountCall<operations['getRevenue'], GetRevenueQuery, false>;
export type GetServiceHealthCall = AccountCall<operations['getServiceHealth'], undefined, false>;
export type ListTiersCall = AccountCall<operations['listTiers'], undefined, false>;
export type ListAllRequestsCall = AccountCall<operations['listAllRequests'], ListAllRequestsQuery, false>;

/** What operators look at: sums, health, tiers and calls of all accounts. */
export interface ReportsApi {
  /** See what waits for the operator. GET /api/admin/overview */
  getOperatorOverview: (call: GetOperatorOverviewCall) => Promise<OperatorOverview>;
  /** See what came in and what was used. GET /api/admin/revenue */
  getRevenue: (call: GetRevenueCall) => Promise<Revenue>;
  /** See how chains, upstreams and the service do. GET /api/admin/health */
  getServiceHealth: (call: GetServiceHealthCall) => Promise<ServiceHealth>;
  /** List the rates of every tier. GET /api/admin/tiers */
  listTiers: (call: ListTiersCall) => Promise<TierList>;
  /** List the calls of all accounts. GET /api/admin/requests */
  listAllRequests: (call: ListAllRequestsCall) => Promise<AllRequestList>;
}

export const reportsApi: ApiTable<ReportsApi> = {
  tag: 'reports',
  operations: {
    getOperatorOverview: { operationId: 'getOperatorOverview', tag: 'reports', method: 'GET', path: '/api/admin/overview', status: 200, auth: 'jwt', role: 'admin', rate: 'read', price: null, model: null, idempotent: false, envelope: false, bodyBytesMax: null, mediaTypes: [] },
    getRevenue: { operationId: 'getRevenue', tag: 'reports', method: 'GET', path: '/api/admin/revenue', status: 200, auth: 'jwt', role: 'admin', rate: 'read', price: null, model: null, idempotent: false, envelope: false, bodyBytesMax: null, mediaTypes: [] },
    getServiceHealth: { operationId: 'getServiceHealth', tag: 'reports', method: 'GET', path: '/api/admin/health', status: 200, auth: 'jwt', role: 'admin', rate: 'read', price: null, model: null, idempotent: false, envelope: false, bodyBytesMax: null, mediaTypes: [] },
    listTiers: { operationId: 'listTiers', tag: 'reports', method: 'GET', path: '/api/admin/tiers', status: 200, auth: 'jwt', role: 'admin', rate: 'read', price: null, model: null, idempotent: false, envelope: false, bodyBytesMax: null, mediaTypes: [] },
    listAllRequests: { operationId: 'listAllRequests', tag: 'reports', method: 'GET', path: '/api/admin/requests', status: 200, auth: 'jwt', role: 'admin', rate: 'read', price: null, model: null, idempotent: false, envelope: false, bodyBytesMax: null, mediaTypes: [] },
  },
};

export type GetLivenessCall = OpenCall<operations['getLiveness'], undefined, false>;
export type GetReadinessCall = OpenCall<operations['getReadiness'], undefined, false>;

/** Probes for whoever runs the service. */
export interface HealthApi {
  /** Ask whether the process lives. GET /health/live */
  getLiveness: (call: GetLivenessCall) => Promise<Health>;
  /** Ask whether the process can serve. GET /health/ready */
  getReadiness: (call: GetReadinessCall) => Promise<Readiness>;
}

export const healthApi: ApiTable<HealthApi> = {
  tag: 'health',
  operations: {
    getLiveness: { operationId: 'getLiveness', tag: 'health', method: 'GET', path: '/health/live', status: 200, auth: 'none', role: null, rate: 'health', price: null, model: null, idempotent: false, envelope: false, bodyBytesMax: null, mediaTypes: [] },
    getReadiness: { operationId: 'getReadiness', tag: 'health', method: 'GET', path: '/health/ready', status: 200, auth: 'none', role: null, rate: 'health', price: null, model: null, idempotent: false, envelope: false, bodyBytesMax: null, mediaTypes: [] },
  },
};

/** Every tag of the document; each has to be served by exactly one controller. */
export const apis = [authApi, consoleApi, keysApi, paymentsApi, pricingApi, accountApi, supportApi, monitoringApi, hubApi, memoryApi, agentsApi, ragApi, searchApi, tasksApi, storiesApi, systemApi, v1Api, documentsApi, advancedApi, ommApi, legalApi, professionalApi, scholarApi, creativeApi, docsApi, webhooksApi, adminApi, reportsApi, healthApi] as const;
