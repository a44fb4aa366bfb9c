// Generated from openapi/ by `npm run generate`. Do not edit.
import type { AccountCall, ApiTable, BinaryAnswer, KeyCall, OpenCall, PriceDefinition } from '../src/contract/operation';
import type { StreamedAnswer } from '../src/models/streamed-answer';
import type { AccessKey, AccessKeySecret, AccessKeyUsage, AccountLimits, AdminActionList, AdminCall, AdminDeliveryList, AdminPayment, AdminPaymentList, AdminUpgradeRequest, AdminUpgradeRequestList, AdminUser, AdminUserDetails, AdminUserList, AdminWebhook, AdminWebhookList, AgentChatResponse, AgentListResponse, AgentResponse, AgentTextResponse, AllRequestList, AnsweredMessage, Balance, BrainstormResponse, ChatCompletion, ConsoleSession, ConsoleSessionList, ContentAnalysisResponse, Costs, CountMessageTokensQuery, CreateMessageQuery, CreativeTextResponse, DeliveryList, DocsImprovementResponse, DocsStructureResponse, DocumentExtractResponse, DocumentListResponse, DocumentResponse, EmbeddingList, EnhancementResponse, ExportTransactionsQuery, GeneratedContentResponse, GeneratedDocsResponse, GetCallQuery, GetCostsQuery, GetKeyUsageQuery, GetOverviewQuery, GetRevenueQuery, GetTransactionStatsQuery, GetUsageQuery, GetUsageSeriesQuery, Health, IndexedRagDocumentResponse, IndexedSearchItemsResponse, LegalAnalysisResponse, LegalComparisonResponse, LegalFactsResponse, LegalSummaryResponse, ListAbandonedDeliveriesQuery, ListAdminActionsQuery, ListAgentsQuery, ListAllPaymentsQuery, ListAllRequestsQuery, ListAllWebhooksQuery, ListDeliveriesQuery, ListDocumentsQuery, ListKeysQuery, ListOwnUpgradeRequestsQuery, ListPaymentsQuery, ListRagDocumentsQuery, ListRequestsQuery, ListStoriesQuery, ListTasksQuery, ListTransactionsQuery, ListUpgradeRequestsQuery, ListUsersQuery, ListWebhooksQuery, MemoryBatchResponse, MemoryListResponse, MemoryResponse, MemorySearchResponse, MemoryStatsResponse, MessageTokens, Model, ModelList, ModelResponse, OmmAnalysisResponse, OmmBatchResponse, OmmGeneratedResponse, OmmModelsResponse, OmmProcessedResponse, OmmTransformedResponse, OperatorOverview, OptimizedContentResponse, OptimizedTextResponse, Overview, OwnUpgradeRequestList, PasswordChanged, PasswordReset, PasswordResetRequested, Payment, PaymentList, PaymentMethodList, PlaygroundKey, PriceList, ProcessedContentResponse, ProfessionalAnalysisResponse, ProfessionalDocumentResponse, PublicPriceList, RagAnswerResponse, RagDocumentListResponse, RagDocumentResponse, RagRetrievalResponse, RagStatsResponse, Readiness, Receipt, Reconciliation, ReplayedDeliveries, RequestList, Revenue, ScholarAnalysisResponse, ScholarCitationsResponse, ScholarResearchResponse, ScholarSummaryResponse, SearchItemResponse, SearchResponse, ServiceHealth, Session, SpendingLimits, StoryListResponse, StoryResponse, SystemInfoResponse, SystemMetricsResponse, SystemResourcesResponse, TaskListResponse, TaskResponse, TextCompletion, TierList, Transaction, TransactionList, TransactionStats, UpgradeRequest, UploadedDocumentResponse, Usage, UsageSeries, UsageSummary, User, WatchPaymentsQuery, Webhook, WebhookDelivery, WebhookDeliveryDetails, WebhookList, WebhookSecret, WebhooksHealth, operations } from './types';

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

interface Calls {
  register: OpenCall<operations['register'], undefined, false>;
  login: OpenCall<operations['login'], undefined, false>;
  getCurrentUser: AccountCall<operations['getCurrentUser'], undefined, false>;
  changePassword: AccountCall<operations['changePassword'], undefined, false>;
  refreshToken: AccountCall<operations['refreshToken'], undefined, false>;
  logout: AccountCall<operations['logout'], undefined, false>;
  logoutEverywhere: AccountCall<operations['logoutEverywhere'], undefined, false>;
  requestPasswordReset: OpenCall<operations['requestPasswordReset'], undefined, false>;
  resetPassword: OpenCall<operations['resetPassword'], undefined, false>;
  getSession: AccountCall<operations['getSession'], undefined, false>;
  startSession: OpenCall<operations['startSession'], undefined, false>;
  endSession: AccountCall<operations['endSession'], undefined, false>;
  provePassword: AccountCall<operations['provePassword'], undefined, false>;
  listSessions: AccountCall<operations['listSessions'], undefined, false>;
  revokeSession: AccountCall<operations['revokeSession'], undefined, false>;
  createPlaygroundKey: AccountCall<operations['createPlaygroundKey'], undefined, false>;
  listKeys: AccountCall<operations['listKeys'], ListKeysQuery, false>;
  createKey: AccountCall<operations['createKey'], undefined, false>;
  updateKey: AccountCall<operations['updateKey'], undefined, false>;
  deleteKey: AccountCall<operations['deleteKey'], undefined, false>;
  revokeKey: AccountCall<operations['revokeKey'], undefined, false>;
  rotateKey: AccountCall<operations['rotateKey'], undefined, false>;
  getKeyLimits: AccountCall<operations['getKeyLimits'], undefined, false>;
  setKeyLimits: AccountCall<operations['setKeyLimits'], undefined, false>;
  deleteKeyLimits: AccountCall<operations['deleteKeyLimits'], undefined, false>;
  resetKeyLimits: AccountCall<operations['resetKeyLimits'], undefined, false>;
  getBalance: AccountCall<operations['getBalance'], undefined, false>;
  addCredits: AccountCall<operations['addCredits'], undefined, false>;
  listTransactions: AccountCall<operations['listTransactions'], ListTransactionsQuery, false>;
  getTransactionStats: AccountCall<operations['getTransactionStats'], GetTransactionStatsQuery, false>;
  getTransaction: AccountCall<operations['getTransaction'], undefined, false>;
  exportTransactions: AccountCall<operations['exportTransactions'], ExportTransactionsQuery, false>;
  watchPayments: AccountCall<operations['watchPayments'], WatchPaymentsQuery, false>;
  listPaymentMethods: AccountCall<operations['listPaymentMethods'], undefined, false>;
  listPayments: AccountCall<operations['listPayments'], ListPaymentsQuery, false>;
  createPayment: AccountCall<operations['createPayment'], undefined, false>;
  getPayment: AccountCall<operations['getPayment'], undefined, false>;
  confirmPayment: AccountCall<operations['confirmPayment'], undefined, false>;
  getPaymentQr: AccountCall<operations['getPaymentQr'], undefined, false>;
  getPricing: KeyCall<operations['getPricing'], undefined, false>;
  getPublicPricing: OpenCall<operations['getPublicPricing'], undefined, false>;
  getAccountLimits: AccountCall<operations['getAccountLimits'], undefined, false>;
  getOverview: AccountCall<operations['getOverview'], GetOverviewQuery, false>;
  createUpgradeRequest: AccountCall<operations['createUpgradeRequest'], undefined, false>;
  listOwnUpgradeRequests: AccountCall<operations['listOwnUpgradeRequests'], ListOwnUpgradeRequestsQuery, false>;
  getUsage: AccountCall<operations['getUsage'], GetUsageQuery, false>;
  getUsageSummary: AccountCall<operations['getUsageSummary'], undefined, false>;
  getUsageSeries: AccountCall<operations['getUsageSeries'], GetUsageSeriesQuery, false>;
  listRequests: AccountCall<operations['listRequests'], ListRequestsQuery, false>;
  getCosts: AccountCall<operations['getCosts'], GetCostsQuery, false>;
  getKeyUsage: AccountCall<operations['getKeyUsage'], GetKeyUsageQuery, false>;
  getRequestReceipt: AccountCall<operations['getRequestReceipt'], undefined, false>;
  getHubHealth: OpenCall<operations['getHubHealth'], undefined, false>;
  createMemory: KeyCall<operations['createMemory'], undefined, true>;
  queryMemories: KeyCall<operations['queryMemories'], undefined, true>;
  searchMemories: KeyCall<operations['searchMemories'], undefined, true>;
  getMemoryStats: KeyCall<operations['getMemoryStats'], undefined, true>;
  createMemoryBatch: KeyCall<operations['createMemoryBatch'], undefined, true>;
  getMemory: KeyCall<operations['getMemory'], undefined, true>;
  listAgents: KeyCall<operations['listAgents'], ListAgentsQuery, false>;
  createAgent: KeyCall<operations['createAgent'], undefined, false>;
  generateWithAgent: KeyCall<operations['generateWithAgent'], undefined, true>;
  chatWithAgent: KeyCall<operations['chatWithAgent'], undefined, true>;
  getAgent: KeyCall<operations['getAgent'], undefined, false>;
  updateAgent: KeyCall<operations['updateAgent'], undefined, false>;
  deleteAgent: KeyCall<operations['deleteAgent'], undefined, false>;
  indexRagDocument: KeyCall<operations['indexRagDocument'], undefined, true>;
  retrieveRagChunks: KeyCall<operations['retrieveRagChunks'], undefined, true>;
  generateWithRag: KeyCall<operations['generateWithRag'], undefined, true>;
  getRagStats: KeyCall<operations['getRagStats'], undefined, false>;
  listRagDocuments: KeyCall<operations['listRagDocuments'], ListRagDocumentsQuery, false>;
  getRagDocument: KeyCall<operations['getRagDocument'], undefined, false>;
  deleteRagDocument: KeyCall<operations['deleteRagDocument'], undefined, false>;
  indexSearchItems: KeyCall<operations['indexSearchItems'], undefined, true>;
  search: KeyCall<operations['search'], undefined, true>;
  getSearchItem: KeyCall<operations['getSearchItem'], undefined, false>;
  deleteSearchItem: KeyCall<operations['deleteSearchItem'], undefined, false>;
  listTasks: KeyCall<operations['listTasks'], ListTasksQuery, false>;
  submitTask: KeyCall<operations['submitTask'], undefined, true>;
  getTask: KeyCall<operations['getTask'], undefined, false>;
  cancelTask: KeyCall<operations['cancelTask'], undefined, false>;
  generateStory: KeyCall<operations['generateStory'], undefined, true>;
  listStories: KeyCall<operations['listStories'], ListStoriesQuery, false>;
  getStory: KeyCall<operations['getStory'], undefined, false>;
  deleteStory: KeyCall<operations['deleteStory'], undefined, false>;
  getSystemInfo: KeyCall<operations['getSystemInfo'], undefined, false>;
  getSystemMetrics: KeyCall<operations['getSystemMetrics'], undefined, false>;
  getSystemResources: KeyCall<operations['getSystemResources'], undefined, false>;
  createChatCompletion: KeyCall<operations['createChatCompletion'], undefined, true>;
  createCompletion: KeyCall<operations['createCompletion'], undefined, true>;
  createResponse: KeyCall<operations['createResponse'], undefined, true>;
  createMessage: KeyCall<operations['createMessage'], CreateMessageQuery, true>;
  countMessageTokens: KeyCall<operations['countMessageTokens'], CountMessageTokensQuery, false>;
  createEmbedding: KeyCall<operations['createEmbedding'], undefined, true>;
  listModels: KeyCall<operations['listModels'], undefined, false>;
  getModel: KeyCall<operations['getModel'], undefined, false>;
  uploadDocument: AccountCall<operations['uploadDocument'], undefined, true>;
  listDocuments: AccountCall<operations['listDocuments'], ListDocumentsQuery, false>;
  getDocument: AccountCall<operations['getDocument'], undefined, false>;
  deleteDocument: AccountCall<operations['deleteDocument'], undefined, false>;
  getDocumentContent: AccountCall<operations['getDocumentContent'], undefined, false>;
  processDocument: AccountCall<operations['processDocument'], undefined, true>;
  extractDocument: AccountCall<operations['extractDocument'], undefined, true>;
  processAdvanced: KeyCall<operations['processAdvanced'], undefined, true>;
  analyzeAdvanced: KeyCall<operations['analyzeAdvanced'], undefined, true>;
  generateAdvanced: KeyCall<operations['generateAdvanced'], undefined, true>;
  optimizeAdvanced: KeyCall<operations['optimizeAdvanced'], undefined, true>;
  getOmmHealth: OpenCall<operations['getOmmHealth'], undefined, false>;
  processInputs: KeyCall<operations['processInputs'], undefined, true>;
  analyzeInputs: KeyCall<operations['analyzeInputs'], undefined, true>;
  generateFromInputs: KeyCall<operations['generateFromInputs'], undefined, true>;
  transformInput: KeyCall<operations['transformInput'], undefined, true>;
  runOmmBatch: KeyCall<operations['runOmmBatch'], undefined, false>;
  listOmmModels: KeyCall<operations['listOmmModels'], undefined, false>;
  summarizeLegal: AccountCall<operations['summarizeLegal'], undefined, true>;
  analyzeLegal: AccountCall<operations['analyzeLegal'], undefined, true>;
  extractLegal: AccountCall<operations['extractLegal'], undefined, true>;
  compareLegal: AccountCall<operations['compareLegal'], undefined, true>;
  analyzeProfessional: AccountCall<operations['analyzeProfessional'], undefined, true>;
  generateProfessional: AccountCall<operations['generateProfessional'], undefined, true>;
  optimizeProfessional: AccountCall<operations['optimizeProfessional'], undefined, true>;
  researchScholar: AccountCall<operations['researchScholar'], undefined, true>;
  citeScholar: AccountCall<operations['citeScholar'], undefined, true>;
  summarizeScholar: AccountCall<operations['summarizeScholar'], undefined, true>;
  analyzeScholar: AccountCall<operations['analyzeScholar'], undefined, true>;
  generateCreative: AccountCall<operations['generateCreative'], undefined, true>;
  enhanceCreative: AccountCall<operations['enhanceCreative'], undefined, true>;
  brainstormCreative: AccountCall<operations['brainstormCreative'], undefined, true>;
  generateDocs: AccountCall<operations['generateDocs'], undefined, true>;
  improveDocs: AccountCall<operations['improveDocs'], undefined, true>;
  structureDocs: AccountCall<operations['structureDocs'], undefined, true>;
  listWebhooks: AccountCall<operations['listWebhooks'], ListWebhooksQuery, false>;
  createWebhook: AccountCall<operations['createWebhook'], undefined, false>;
  getWebhook: AccountCall<operations['getWebhook'], undefined, false>;
  updateWebhook: AccountCall<operations['updateWebhook'], undefined, false>;
  deleteWebhook: AccountCall<operations['deleteWebhook'], undefined, false>;
  rotateWebhookSecret: AccountCall<operations['rotateWebhookSecret'], undefined, false>;
  listDeliveries: AccountCall<operations['listDeliveries'], ListDeliveriesQuery, false>;
  getDelivery: AccountCall<operations['getDelivery'], undefined, false>;
  testWebhook: AccountCall<operations['testWebhook'], undefined, false>;
  replayDeliveries: AccountCall<operations['replayDeliveries'], undefined, false>;
  retryDelivery: AccountCall<operations['retryDelivery'], undefined, false>;
  listUsers: AccountCall<operations['listUsers'], ListUsersQuery, false>;
  getUser: AccountCall<operations['getUser'], undefined, false>;
  updateUser: AccountCall<operations['updateUser'], undefined, false>;
  getOperatorOverview: AccountCall<operations['getOperatorOverview'], undefined, false>;
  getRevenue: AccountCall<operations['getRevenue'], GetRevenueQuery, false>;
  getServiceHealth: AccountCall<operations['getServiceHealth'], undefined, false>;
  listTiers: AccountCall<operations['listTiers'], undefined, false>;
  listAllRequests: AccountCall<operations['listAllRequests'], ListAllRequestsQuery, false>;
  createPasswordReset: AccountCall<operations['createPasswordReset'], undefined, false>;
  logoutUser: AccountCall<operations['logoutUser'], undefined, false>;
  getReconciliation: AccountCall<operations['getReconciliation'], undefined, false>;
  listAllPayments: AccountCall<operations['listAllPayments'], ListAllPaymentsQuery, false>;
  getAnyPayment: AccountCall<operations['getAnyPayment'], undefined, false>;
  resolvePayment: AccountCall<operations['resolvePayment'], undefined, false>;
  getWebhooksHealth: AccountCall<operations['getWebhooksHealth'], undefined, false>;
  listAllWebhooks: AccountCall<operations['listAllWebhooks'], ListAllWebhooksQuery, false>;
  enableWebhook: AccountCall<operations['enableWebhook'], undefined, false>;
  listAbandonedDeliveries: AccountCall<operations['listAbandonedDeliveries'], ListAbandonedDeliveriesQuery, false>;
  listUpgradeRequests: AccountCall<operations['listUpgradeRequests'], ListUpgradeRequestsQuery, false>;
  approveUpgradeRequest: AccountCall<operations['approveUpgradeRequest'], undefined, false>;
  rejectUpgradeRequest: AccountCall<operations['rejectUpgradeRequest'], undefined, false>;
  getCall: AccountCall<operations['getCall'], GetCallQuery, false>;
  listAdminActions: AccountCall<operations['listAdminActions'], ListAdminActionsQuery, false>;
  getLiveness: OpenCall<operations['getLiveness'], undefined, false>;
  getReadiness: OpenCall<operations['getReadiness'], undefined, false>;
}
/** What the method of an operation is given. */
export type Call<Id extends keyof Calls> = Calls[Id];

/** Registration, login and account tokens. */
export interface AuthApi {
  /** Register an account. POST /api/auth/register */
  register: (call: Call<'register'>) => Promise<User>;
  /** Log in. POST /api/auth/login */
  login: (call: Call<'login'>) => Promise<Session>;
  /** Get the account that the token stands for. GET /api/auth/me */
  getCurrentUser: (call: Call<'getCurrentUser'>) => Promise<User>;
  /** Change the password. POST /api/auth/change-password */
  changePassword: (call: Call<'changePassword'>) => Promise<PasswordChanged>;
  /** Exchange the account token for a new one. POST /api/auth/refresh */
  refreshToken: (call: Call<'refreshToken'>) => Promise<Session>;
  /** End the account token. POST /api/auth/logout */
  logout: (call: Call<'logout'>) => Promise<void>;
  /** End every token and session of the account. POST /api/auth/logout-everywhere */
  logoutEverywhere: (call: Call<'logoutEverywhere'>) => Promise<void>;
  /** Ask for a link that sets a new password. POST /api/auth/forgot-password */
  requestPasswordReset: (call: Call<'requestPasswordReset'>) => Promise<PasswordResetRequested>;
  /** Set a new password by a link. POST /api/auth/reset-password */
  resetPassword: (call: Call<'resetPassword'>) => Promise<PasswordChanged>;
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

/** Sessions of the web console. */
export interface ConsoleApi {
  /** Get the session that the call is made with. GET /api/console/session */
  getSession: (call: Call<'getSession'>) => Promise<ConsoleSession>;
  /** Log a browser in. POST /api/console/session */
  startSession: (call: Call<'startSession'>) => Promise<ConsoleSession>;
  /** Log the browser out. DELETE /api/console/session */
  endSession: (call: Call<'endSession'>) => Promise<void>;
  /** Show the password again. POST /api/console/session/password */
  provePassword: (call: Call<'provePassword'>) => Promise<ConsoleSession>;
  /** List the account's sessions. GET /api/console/sessions */
  listSessions: (call: Call<'listSessions'>) => Promise<ConsoleSessionList>;
  /** Log another browser out. DELETE /api/console/sessions/{session_id} */
  revokeSession: (call: Call<'revokeSession'>) => Promise<void>;
  /** Create an access key of minutes. POST /api/console/playground-keys */
  createPlaygroundKey: (call: Call<'createPlaygroundKey'>) => Promise<PlaygroundKey>;
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

/** Access keys and their spending limits. */
export interface KeysApi {
  /** List the account's access keys. GET /api/keys */
  listKeys: (call: Call<'listKeys'>) => Promise<operations['listKeys']['responses'][200]['content']['application/json']>;
  /** Create an access key. POST /api/keys */
  createKey: (call: Call<'createKey'>) => Promise<AccessKeySecret>;
  /** Rename an access key. PUT /api/keys/{key_id} */
  updateKey: (call: Call<'updateKey'>) => Promise<AccessKey>;
  /** Delete an access key. DELETE /api/keys/{key_id} */
  deleteKey: (call: Call<'deleteKey'>) => Promise<void>;
  /** Revoke an access key. POST /api/keys/{key_id}/revoke */
  revokeKey: (call: Call<'revokeKey'>) => Promise<AccessKey>;
  /** Give an access key a new secret. POST /api/keys/{key_id}/rotate */
  rotateKey: (call: Call<'rotateKey'>) => Promise<AccessKeySecret>;
  /** Get a key's spending limits and what is spent of them. GET /api/keys/{key_id}/limits */
  getKeyLimits: (call: Call<'getKeyLimits'>) => Promise<SpendingLimits>;
  /** Set a key's spending limits. PUT /api/keys/{key_id}/limits */
  setKeyLimits: (call: Call<'setKeyLimits'>) => Promise<SpendingLimits>;
  /** Remove all of a key's spending limits. DELETE /api/keys/{key_id}/limits */
  deleteKeyLimits: (call: Call<'deleteKeyLimits'>) => Promise<void>;
  /** Set a key's spent counters to zero. POST /api/keys/{key_id}/limits/reset */
  resetKeyLimits: (call: Call<'resetKeyLimits'>) => Promise<SpendingLimits>;
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

/** Balance, credits, transactions, and payments by cryptocurrency. */
export interface PaymentsApi {
  /** Get the account's balance. GET /api/payments/credits/balance */
  getBalance: (call: Call<'getBalance'>) => Promise<Balance>;
  /** Add credits to an account. POST /api/payments/credits/add */
  addCredits: (call: Call<'addCredits'>) => Promise<Transaction>;
  /** List the account's transactions. GET /api/payments/transactions */
  listTransactions: (call: Call<'listTransactions'>) => Promise<TransactionList>;
  /** Sum the account's transactions. GET /api/payments/transactions/stats */
  getTransactionStats: (call: Call<'getTransactionStats'>) => Promise<TransactionStats>;
  /** Get a transaction. GET /api/payments/transactions/{id} */
  getTransaction: (call: Call<'getTransaction'>) => Promise<Transaction>;
  /** Download the account's transactions. GET /api/payments/transactions.csv */
  exportTransactions: (call: Call<'exportTransactions'>) => Promise<BinaryAnswer>;
  /** Watch payments and balance as they change. GET /api/payments/events */
  watchPayments: (call: Call<'watchPayments'>) => Promise<BinaryAnswer>;
  /** List the currencies that credits can be bought with. GET /api/payments/payments/methods */
  listPaymentMethods: (call: Call<'listPaymentMethods'>) => Promise<PaymentMethodList>;
  /** List the account's payments. GET /api/payments/payments */
  listPayments: (call: Call<'listPayments'>) => Promise<PaymentList>;
  /** Buy credits with a cryptocurrency. POST /api/payments/payments */
  createPayment: (call: Call<'createPayment'>) => Promise<Payment>;
  /** Get a payment. GET /api/payments/payments/{payment_id} */
  getPayment: (call: Call<'getPayment'>) => Promise<Payment>;
  /** Look at the chain now. POST /api/payments/payments/{payment_id}/confirm */
  confirmPayment: (call: Call<'confirmPayment'>) => Promise<Payment>;
  /** Get a payment's URI as a QR code. GET /api/payments/payments/{payment_id}/qr.svg */
  getPaymentQr: (call: Call<'getPaymentQr'>) => Promise<string>;
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

/** The prices in force. */
export interface PricingApi {
  /** Get the prices in force. GET /api/pricing */
  getPricing: (call: Call<'getPricing'>) => Promise<PriceList>;
  /** Get the prices in force and the models, without a credential. GET /api/pricing/public */
  getPublicPricing: (call: Call<'getPublicPricing'>) => Promise<PublicPriceList>;
}

export const pricingApi: ApiTable<PricingApi> = {
  tag: 'pricing',
  operations: {
    getPricing: { operationId: 'getPricing', tag: 'pricing', method: 'GET', path: '/api/pricing', status: 200, auth: 'key', role: null, rate: 'read', price: null, model: null, idempotent: false, envelope: false, bodyBytesMax: null, mediaTypes: [] },
    getPublicPricing: { operationId: 'getPublicPricing', tag: 'pricing', method: 'GET', path: '/api/pricing/public', status: 200, auth: 'none', role: null, rate: 'read', price: null, model: null, idempotent: false, envelope: false, bodyBytesMax: null, mediaTypes: [] },
  },
};

/** The rate limits of the account. */
export interface AccountApi {
  /** Get the account's rate limits. GET /api/account/limits */
  getAccountLimits: (call: Call<'getAccountLimits'>) => Promise<AccountLimits>;
  /** Get what an account's first page shows. GET /api/account/overview */
  getOverview: (call: Call<'getOverview'>) => Promise<Overview>;
}

export const accountApi: ApiTable<AccountApi> = {
  tag: 'account',
  operations: {
    getAccountLimits: { operationId: 'getAccountLimits', tag: 'account', method: 'GET', path: '/api/account/limits', status: 200, auth: 'jwt', role: null, rate: 'read', price: null, model: null, idempotent: false, envelope: false, bodyBytesMax: null, mediaTypes: [] },
    getOverview: { operationId: 'getOverview', tag: 'account', method: 'GET', path: '/api/account/overview', status: 200, auth: 'jwt', role: null, rate: 'read', price: null, model: null, idempotent: false, envelope: false, bodyBytesMax: null, mediaTypes: [] },
  },
};

/** Requests to the operator. */
export interface SupportApi {
  /** Ask the operator for another tier. POST /api/support/upgrade-request */
  createUpgradeRequest: (call: Call<'createUpgradeRequest'>) => Promise<UpgradeRequest>;
  /** List the account's requests for another tier. GET /api/support/upgrade-requests */
  listOwnUpgradeRequests: (call: Call<'listOwnUpgradeRequests'>) => Promise<OwnUpgradeRequestList>;
}

export const supportApi: ApiTable<SupportApi> = {
  tag: 'support',
  operations: {
    createUpgradeRequest: { operationId: 'createUpgradeRequest', tag: 'support', method: 'POST', path: '/api/support/upgrade-request', status: 201, auth: 'jwt', role: null, rate: 'write', price: null, model: null, idempotent: true, envelope: false, bodyBytesMax: 65536, mediaTypes: ['application/json'] },
    listOwnUpgradeRequests: { operationId: 'listOwnUpgradeRequests', tag: 'support', method: 'GET', path: '/api/support/upgrade-requests', status: 200, auth: 'jwt', role: null, rate: 'read', price: null, model: null, idempotent: false, envelope: false, bodyBytesMax: null, mediaTypes: [] },
  },
};

/** Usage, costs and the receipt of every call. */
export interface MonitoringApi {
  /** Get the account's usage. GET /api/monitoring/usage */
  getUsage: (call: Call<'getUsage'>) => Promise<Usage>;
  /** Get the account's usage in short. GET /api/monitoring/usage/summary */
  getUsageSummary: (call: Call<'getUsageSummary'>) => Promise<UsageSummary>;
  /** Get the account's usage over time. GET /api/monitoring/usage/series */
  getUsageSeries: (call: Call<'getUsageSeries'>) => Promise<UsageSeries>;
  /** List the account's calls. GET /api/monitoring/requests */
  listRequests: (call: Call<'listRequests'>) => Promise<RequestList>;
  /** Break the account's costs down. GET /api/monitoring/costs */
  getCosts: (call: Call<'getCosts'>) => Promise<Costs>;
  /** Get the usage of an access key. GET /api/monitoring/keys/{key_id}/usage */
  getKeyUsage: (call: Call<'getKeyUsage'>) => Promise<AccessKeyUsage>;
  /** Get the receipt of a call. GET /api/monitoring/requests/{request_id} */
  getRequestReceipt: (call: Call<'getRequestReceipt'>) => Promise<Receipt>;
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

/** Health of the hub. */
export interface HubApi {
  /** Ask whether the hub answers. GET /api/hub/health */
  getHubHealth: (call: Call<'getHubHealth'>) => Promise<Health>;
}

export const hubApi: ApiTable<HubApi> = {
  tag: 'hub',
  operations: {
    getHubHealth: { operationId: 'getHubHealth', tag: 'hub', method: 'GET', path: '/api/hub/health', status: 200, auth: 'none', role: null, rate: 'health', price: null, model: null, idempotent: false, envelope: false, bodyBytesMax: null, mediaTypes: [] },
  },
};

/** Stored memories and their search. */
export interface MemoryApi {
  /** Store a memory. POST /api/hub/memory */
  createMemory: (call: Call<'createMemory'>) => Promise<MemoryResponse['data']>;
  /** List the memories that meet a filter. POST /api/hub/memory/query */
  queryMemories: (call: Call<'queryMemories'>) => Promise<MemoryListResponse['data']>;
  /** Search the memories by their text. POST /api/hub/memory/search */
  searchMemories: (call: Call<'searchMemories'>) => Promise<MemorySearchResponse['data']>;
  /** Count the memories. GET /api/hub/memory/stats */
  getMemoryStats: (call: Call<'getMemoryStats'>) => Promise<MemoryStatsResponse['data']>;
  /** Store several memories. POST /api/hub/memory/batch */
  createMemoryBatch: (call: Call<'createMemoryBatch'>) => Promise<MemoryBatchResponse['data']>;
  /** Get a memory. GET /api/hub/memory/{memory_id} */
  getMemory: (call: Call<'getMemory'>) => Promise<MemoryResponse['data']>;
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

/** Stored agents, and text and chats with them. */
export interface AgentsApi {
  /** List the account's agents. GET /api/hub/agents */
  listAgents: (call: Call<'listAgents'>) => Promise<AgentListResponse['data']>;
  /** Create an agent. POST /api/hub/agents */
  createAgent: (call: Call<'createAgent'>) => Promise<AgentResponse['data']>;
  /** Generate a text with an agent. POST /api/hub/agents/generate */
  generateWithAgent: (call: Call<'generateWithAgent'>) => Promise<AgentTextResponse['data']>;
  /** Chat with an agent. POST /api/hub/agents/chat */
  chatWithAgent: (call: Call<'chatWithAgent'>) => Promise<AgentChatResponse['data'] | StreamedAnswer>;
  /** Get an agent. GET /api/hub/agents/{agent_id} */
  getAgent: (call: Call<'getAgent'>) => Promise<AgentResponse['data']>;
  /** Change an agent. PUT /api/hub/agents/{agent_id} */
  updateAgent: (call: Call<'updateAgent'>) => Promise<AgentResponse['data']>;
  /** Delete an agent. DELETE /api/hub/agents/{agent_id} */
  deleteAgent: (call: Call<'deleteAgent'>) => Promise<void>;
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

/** Documents that are indexed, retrieved and answered from. */
export interface RagApi {
  /** Index a document. POST /api/hub/rag/index */
  indexRagDocument: (call: Call<'indexRagDocument'>) => Promise<IndexedRagDocumentResponse['data']>;
  /** Find the chunks that answer a query. POST /api/hub/rag/retrieve */
  retrieveRagChunks: (call: Call<'retrieveRagChunks'>) => Promise<RagRetrievalResponse['data']>;
  /** Answer a question from the indexed documents. POST /api/hub/rag/generate */
  generateWithRag: (call: Call<'generateWithRag'>) => Promise<RagAnswerResponse['data'] | StreamedAnswer>;
  /** Count the indexed documents. GET /api/hub/rag/stats */
  getRagStats: (call: Call<'getRagStats'>) => Promise<RagStatsResponse['data']>;
  /** List the account's indexed documents. GET /api/hub/rag/documents */
  listRagDocuments: (call: Call<'listRagDocuments'>) => Promise<RagDocumentListResponse['data']>;
  /** Get an indexed document. GET /api/hub/rag/documents/{document_id} */
  getRagDocument: (call: Call<'getRagDocument'>) => Promise<RagDocumentResponse['data']>;
  /** Delete an indexed document. DELETE /api/hub/rag/documents/{document_id} */
  deleteRagDocument: (call: Call<'deleteRagDocument'>) => Promise<void>;
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

/** Items that are indexed and searched. */
export interface SearchApi {
  /** Index items to search. POST /api/hub/search/index */
  indexSearchItems: (call: Call<'indexSearchItems'>) => Promise<IndexedSearchItemsResponse['data']>;
  /** Search the indexed items. POST /api/hub/search */
  search: (call: Call<'search'>) => Promise<SearchResponse['data']>;
  /** Get an item. GET /api/hub/search/items/{item_id} */
  getSearchItem: (call: Call<'getSearchItem'>) => Promise<SearchItemResponse['data']>;
  /** Delete an item. DELETE /api/hub/search/items/{item_id} */
  deleteSearchItem: (call: Call<'deleteSearchItem'>) => Promise<void>;
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

/** Operations that run in the background. */
export interface TasksApi {
  /** List the account's tasks. GET /api/hub/tasks */
  listTasks: (call: Call<'listTasks'>) => Promise<TaskListResponse['data']>;
  /** Submit a task. POST /api/hub/tasks */
  submitTask: (call: Call<'submitTask'>) => Promise<TaskResponse['data']>;
  /** Get a task. GET /api/hub/tasks/{task_id} */
  getTask: (call: Call<'getTask'>) => Promise<TaskResponse['data']>;
  /** Cancel a task. POST /api/hub/tasks/{task_id}/cancel */
  cancelTask: (call: Call<'cancelTask'>) => Promise<TaskResponse['data']>;
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

/** Generated stories. */
export interface StoriesApi {
  /** Generate a story. POST /api/hub/story/generate */
  generateStory: (call: Call<'generateStory'>) => Promise<StoryResponse['data'] | StreamedAnswer>;
  /** List the account's stories. GET /api/hub/story */
  listStories: (call: Call<'listStories'>) => Promise<StoryListResponse['data']>;
  /** Get a story. GET /api/hub/story/{story_id} */
  getStory: (call: Call<'getStory'>) => Promise<StoryResponse['data']>;
  /** Delete a story. DELETE /api/hub/story/{story_id} */
  deleteStory: (call: Call<'deleteStory'>) => Promise<void>;
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

/** What the service offers, and how it is doing. */
export interface SystemApi {
  /** What this service is and offers. GET /api/hub/system/info */
  getSystemInfo: (call: Call<'getSystemInfo'>) => Promise<SystemInfoResponse['data']>;
  /** How the service is doing. GET /api/hub/system/metrics */
  getSystemMetrics: (call: Call<'getSystemMetrics'>) => Promise<SystemMetricsResponse['data']>;
  /** What the answering replica has. GET /api/hub/system/resources */
  getSystemResources: (call: Call<'getSystemResources'>) => Promise<SystemResourcesResponse['data']>;
}

export const systemApi: ApiTable<SystemApi> = {
  tag: 'system',
  operations: {
    getSystemInfo: { operationId: 'getSystemInfo', tag: 'system', method: 'GET', path: '/api/hub/system/info', status: 200, auth: 'key', role: null, rate: 'read', price: null, model: null, idempotent: false, envelope: true, bodyBytesMax: null, mediaTypes: [] },
    getSystemMetrics: { operationId: 'getSystemMetrics', tag: 'system', method: 'GET', path: '/api/hub/system/metrics', status: 200, auth: 'key', role: null, rate: 'read', price: null, model: null, idempotent: false, envelope: true, bodyBytesMax: null, mediaTypes: [] },
    getSystemResources: { operationId: 'getSystemResources', tag: 'system', method: 'GET', path: '/api/hub/system/resources', status: 200, auth: 'key', role: null, rate: 'read', price: null, model: null, idempotent: false, envelope: true, bodyBytesMax: null, mediaTypes: [] },
  },
};

/** Chat-completion-compatible operations. */
export interface V1Api {
  /** Answer a conversation. POST /v1/chat/completions */
  createChatCompletion: (call: Call<'createChatCompletion'>) => Promise<ChatCompletion | StreamedAnswer>;
  /** Complete a text. POST /v1/completions */
  createCompletion: (call: Call<'createCompletion'>) => Promise<TextCompletion | StreamedAnswer>;
  /** Answer with a response. POST /v1/responses */
  createResponse: (call: Call<'createResponse'>) => Promise<ModelResponse | StreamedAnswer>;
  /** Answer with a message. POST /v1/messages */
  createMessage: (call: Call<'createMessage'>) => Promise<AnsweredMessage | StreamedAnswer>;
  /** Count the tokens of a message's input. POST /v1/messages/count_tokens */
  countMessageTokens: (call: Call<'countMessageTokens'>) => Promise<MessageTokens>;
  /** Turn texts into vectors. POST /v1/embeddings */
  createEmbedding: (call: Call<'createEmbedding'>) => Promise<EmbeddingList>;
  /** List the models that can be called. GET /v1/models */
  listModels: (call: Call<'listModels'>) => Promise<ModelList>;
  /** Describe a model. GET /v1/models/{model} */
  getModel: (call: Call<'getModel'>) => Promise<Model>;
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

/** Uploaded documents. */
export interface DocumentsApi {
  /** Upload a document. POST /api/documents/upload */
  uploadDocument: (call: Call<'uploadDocument'>) => Promise<UploadedDocumentResponse['data']>;
  /** List the account's documents. GET /api/documents */
  listDocuments: (call: Call<'listDocuments'>) => Promise<DocumentListResponse['data']>;
  /** Get a document's record. GET /api/documents/{doc_id} */
  getDocument: (call: Call<'getDocument'>) => Promise<DocumentResponse['data']>;
  /** Delete a document. DELETE /api/documents/{doc_id} */
  deleteDocument: (call: Call<'deleteDocument'>) => Promise<void>;
  /** Get a document's file. GET /api/documents/{doc_id}/content */
  getDocumentContent: (call: Call<'getDocumentContent'>) => Promise<BinaryAnswer>;
  /** Process a document. POST /api/documents/{doc_id}/process */
  processDocument: (call: Call<'processDocument'>) => Promise<DocumentResponse['data']>;
  /** Extract facts from a document. POST /api/documents/{doc_id}/extract */
  extractDocument: (call: Call<'extractDocument'>) => Promise<DocumentExtractResponse['data']>;
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

/** Texts that are processed, analyzed, written and improved. */
export interface AdvancedApi {
  /** Process a text in one of several ways. POST /api/advanced/process */
  processAdvanced: (call: Call<'processAdvanced'>) => Promise<ProcessedContentResponse['data']>;
  /** Analyze a text. POST /api/advanced/analyze */
  analyzeAdvanced: (call: Call<'analyzeAdvanced'>) => Promise<ContentAnalysisResponse['data']>;
  /** Write a text, or fill a template. POST /api/advanced/generate */
  generateAdvanced: (call: Call<'generateAdvanced'>) => Promise<GeneratedContentResponse['data']>;
  /** Make a text shorter and clearer. POST /api/advanced/optimize */
  optimizeAdvanced: (call: Call<'optimizeAdvanced'>) => Promise<OptimizedContentResponse['data']>;
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

/** Texts, images and documents together. */
export interface OmmApi {
  /** Ask whether the multi-modal operations answer. GET /api/omm/health */
  getOmmHealth: (call: Call<'getOmmHealth'>) => Promise<Health>;
  /** Work on texts, images and documents. POST /api/omm/process */
  processInputs: (call: Call<'processInputs'>) => Promise<OmmProcessedResponse['data']>;
  /** Measure texts, images and documents. POST /api/omm/analyze */
  analyzeInputs: (call: Call<'analyzeInputs'>) => Promise<OmmAnalysisResponse['data']>;
  /** Write a text from a prompt and inputs. POST /api/omm/generate */
  generateFromInputs: (call: Call<'generateFromInputs'>) => Promise<OmmGeneratedResponse['data']>;
  /** Bring an input into another form. POST /api/omm/transform */
  transformInput: (call: Call<'transformInput'>) => Promise<OmmTransformedResponse['data']>;
  /** Run several multi-modal operations. POST /api/omm/batch */
  runOmmBatch: (call: Call<'runOmmBatch'>) => Promise<OmmBatchResponse['data']>;
  /** Ask what can be done, and by which models. GET /api/omm/models */
  listOmmModels: (call: Call<'listOmmModels'>) => Promise<OmmModelsResponse['data']>;
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

/** Legal texts. */
export interface LegalApi {
  /** Summarize a legal text. POST /api/legal/summarize */
  summarizeLegal: (call: Call<'summarizeLegal'>) => Promise<LegalSummaryResponse['data']>;
  /** Analyze a legal text. POST /api/legal/analyze */
  analyzeLegal: (call: Call<'analyzeLegal'>) => Promise<LegalAnalysisResponse['data']>;
  /** Extract the facts of a legal text. POST /api/legal/extract */
  extractLegal: (call: Call<'extractLegal'>) => Promise<LegalFactsResponse['data']>;
  /** Compare two legal texts. POST /api/legal/compare */
  compareLegal: (call: Call<'compareLegal'>) => Promise<LegalComparisonResponse['data']>;
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

/** Professional texts: analysis, documents, style. */
export interface ProfessionalApi {
  /** Analyze a professional text. POST /api/professional/analyze */
  analyzeProfessional: (call: Call<'analyzeProfessional'>) => Promise<ProfessionalAnalysisResponse['data']>;
  /** Generate a professional document. POST /api/professional/generate */
  generateProfessional: (call: Call<'generateProfessional'>) => Promise<ProfessionalDocumentResponse['data']>;
  /** Optimize a professional text. POST /api/professional/optimize */
  optimizeProfessional: (call: Call<'optimizeProfessional'>) => Promise<OptimizedTextResponse['data']>;
}

export const professionalApi: ApiTable<ProfessionalApi> = {
  tag: 'professional',
  operations: {
    analyzeProfessional: { operationId: 'analyzeProfessional', tag: 'professional', method: 'POST', path: '/api/professional/analyze', status: 200, auth: 'jwt', role: null, rate: 'llm', price: 'professional_services', model: 'chat', withoutModel: 'part', idempotent: true, envelope: true, bodyBytesMax: 8388608, mediaTypes: ['application/json'] },
    generateProfessional: { operationId: 'generateProfessional', tag: 'professional', method: 'POST', path: '/api/professional/generate', status: 200, auth: 'jwt', role: null, rate: 'llm', price: 'professional_services', model: 'chat', withoutModel: 'none', idempotent: true, envelope: true, bodyBytesMax: 1048576, mediaTypes: ['application/json'] },
    optimizeProfessional: { operationId: 'optimizeProfessional', tag: 'professional', method: 'POST', path: '/api/professional/optimize', status: 200, auth: 'jwt', role: null, rate: 'llm', price: 'professional_services', model: 'chat', withoutModel: 'none', idempotent: true, envelope: true, bodyBytesMax: 8388608, mediaTypes: ['application/json'] },
  },
};

/** Research, citations and scholarly texts. */
export interface ScholarApi {
  /** Answer a question from the account's own documents. POST /api/scholar/research */
  researchScholar: (call: Call<'researchScholar'>) => Promise<ScholarResearchResponse['data']>;
  /** Write references in a citation style. POST /api/scholar/cite */
  citeScholar: (call: Call<'citeScholar'>) => Promise<ScholarCitationsResponse['data']>;
  /** Summarize a paper. POST /api/scholar/summarize */
  summarizeScholar: (call: Call<'summarizeScholar'>) => Promise<ScholarSummaryResponse['data']>;
  /** Find what a paper consists of. POST /api/scholar/analyze */
  analyzeScholar: (call: Call<'analyzeScholar'>) => Promise<ScholarAnalysisResponse['data']>;
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

/** Creative writing. */
export interface CreativeApi {
  /** Write a creative text. POST /api/creative/generate */
  generateCreative: (call: Call<'generateCreative'>) => Promise<CreativeTextResponse['data']>;
  /** Suggest how a draft becomes better. POST /api/creative/enhance */
  enhanceCreative: (call: Call<'enhanceCreative'>) => Promise<EnhancementResponse['data']>;
  /** Find ideas on a topic. POST /api/creative/brainstorm */
  brainstormCreative: (call: Call<'brainstormCreative'>) => Promise<BrainstormResponse['data']>;
}

export const creativeApi: ApiTable<CreativeApi> = {
  tag: 'creative',
  operations: {
    generateCreative: { operationId: 'generateCreative', tag: 'creative', method: 'POST', path: '/api/creative/generate', status: 200, auth: 'jwt', role: null, rate: 'llm', price: 'creative_services', model: 'chat', withoutModel: 'none', idempotent: true, envelope: true, bodyBytesMax: 1048576, mediaTypes: ['application/json'] },
    enhanceCreative: { operationId: 'enhanceCreative', tag: 'creative', method: 'POST', path: '/api/creative/enhance', status: 200, auth: 'jwt', role: null, rate: 'llm', price: 'creative_services', model: 'chat', withoutModel: 'none', idempotent: true, envelope: true, bodyBytesMax: 8388608, mediaTypes: ['application/json'] },
    brainstormCreative: { operationId: 'brainstormCreative', tag: 'creative', method: 'POST', path: '/api/creative/brainstorm', status: 200, auth: 'jwt', role: null, rate: 'llm', price: 'creative_services', model: 'chat', withoutModel: 'none', idempotent: true, envelope: true, bodyBytesMax: 65536, mediaTypes: ['application/json'] },
  },
};

/** Documentation of products. */
export interface DocsApi {
  /** Write a page of documentation. POST /api/docs/generate */
  generateDocs: (call: Call<'generateDocs'>) => Promise<GeneratedDocsResponse['data']>;
  /** Find what is wrong with a page of documentation. POST /api/docs/improve */
  improveDocs: (call: Call<'improveDocs'>) => Promise<DocsImprovementResponse['data']>;
  /** Find a page's structure. POST /api/docs/structure */
  structureDocs: (call: Call<'structureDocs'>) => Promise<DocsStructureResponse['data']>;
}

export const docsApi: ApiTable<DocsApi> = {
  tag: 'docs',
  operations: {
    generateDocs: { operationId: 'generateDocs', tag: 'docs', method: 'POST', path: '/api/docs/generate', status: 200, auth: 'jwt', role: null, rate: 'llm', price: 'product_docs', model: 'chat', withoutModel: 'part', idempotent: true, envelope: true, bodyBytesMax: 8388608, mediaTypes: ['application/json'] },
    improveDocs: { operationId: 'improveDocs', tag: 'docs', method: 'POST', path: '/api/docs/improve', status: 200, auth: 'jwt', role: null, rate: 'llm', price: 'product_docs', model: 'chat', withoutModel: 'part', idempotent: true, envelope: true, bodyBytesMax: 8388608, mediaTypes: ['application/json'] },
    structureDocs: { operationId: 'structureDocs', tag: 'docs', method: 'POST', path: '/api/docs/structure', status: 200, auth: 'jwt', role: null, rate: 'llm', price: 'product_docs', model: null, idempotent: true, envelope: true, bodyBytesMax: 8388608, mediaTypes: ['application/json'] },
  },
};

/** Where events are sent, and how that went. */
export interface WebhooksApi {
  /** List the account's webhooks. GET /api/webhooks */
  listWebhooks: (call: Call<'listWebhooks'>) => Promise<WebhookList>;
  /** Create a webhook. POST /api/webhooks */
  createWebhook: (call: Call<'createWebhook'>) => Promise<WebhookSecret>;
  /** Get a webhook. GET /api/webhooks/{webhook_id} */
  getWebhook: (call: Call<'getWebhook'>) => Promise<Webhook>;
  /** Change a webhook, or switch it on or off. PUT /api/webhooks/{webhook_id} */
  updateWebhook: (call: Call<'updateWebhook'>) => Promise<Webhook>;
  /** Delete a webhook. DELETE /api/webhooks/{webhook_id} */
  deleteWebhook: (call: Call<'deleteWebhook'>) => Promise<void>;
  /** Give a webhook a new secret. POST /api/webhooks/{webhook_id}/rotate-secret */
  rotateWebhookSecret: (call: Call<'rotateWebhookSecret'>) => Promise<WebhookSecret>;
  /** List the deliveries to a webhook. GET /api/webhooks/{webhook_id}/deliveries */
  listDeliveries: (call: Call<'listDeliveries'>) => Promise<DeliveryList>;
  /** Get a delivery to a webhook. GET /api/webhooks/{webhook_id}/deliveries/{delivery_id} */
  getDelivery: (call: Call<'getDelivery'>) => Promise<WebhookDeliveryDetails>;
  /** Send a test event to a webhook. POST /api/webhooks/{webhook_id}/test */
  testWebhook: (call: Call<'testWebhook'>) => Promise<WebhookDelivery>;
  /** Retry the failed deliveries since a time. POST /api/webhooks/{webhook_id}/replay */
  replayDeliveries: (call: Call<'replayDeliveries'>) => Promise<ReplayedDeliveries>;
  /** Retry a failed delivery. POST /api/webhooks/deliveries/{delivery_id}/retry */
  retryDelivery: (call: Call<'retryDelivery'>) => Promise<WebhookDelivery>;
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

/** What operators need. */
export interface AdminApi {
  /** List the accounts. GET /api/admin/users */
  listUsers: (call: Call<'listUsers'>) => Promise<AdminUserList>;
  /** Get an account. GET /api/admin/users/{user_id} */
  getUser: (call: Call<'getUser'>) => Promise<AdminUserDetails>;
  /** Set an account's tier, own limits or access. PUT /api/admin/users/{user_id} */
  updateUser: (call: Call<'updateUser'>) => Promise<AdminUser>;
  /** Make a link that sets an account's password. POST /api/admin/users/{user_id}/password-reset */
  createPasswordReset: (call: Call<'createPasswordReset'>) => Promise<PasswordReset>;
  /** End every token and session of an account. POST /api/admin/users/{user_id}/logout */
  logoutUser: (call: Call<'logoutUser'>) => Promise<void>;
  /** Compare every balance with its transactions. GET /api/admin/reconciliation */
  getReconciliation: (call: Call<'getReconciliation'>) => Promise<Reconciliation>;
  /** List the payments of all accounts. GET /api/admin/payments */
  listAllPayments: (call: Call<'listAllPayments'>) => Promise<AdminPaymentList>;
  /** Get a payment of any account. GET /api/admin/payments/{payment_id} */
  getAnyPayment: (call: Call<'getAnyPayment'>) => Promise<AdminPayment>;
  /** End the review of a payment. POST /api/admin/payments/{payment_id}/resolve */
  resolvePayment: (call: Call<'resolvePayment'>) => Promise<AdminPayment>;
  /** See whether events reach their receivers. GET /api/admin/webhooks/health */
  getWebhooksHealth: (call: Call<'getWebhooksHealth'>) => Promise<WebhooksHealth>;
  /** List the webhooks of all accounts. GET /api/admin/webhooks */
  listAllWebhooks: (call: Call<'listAllWebhooks'>) => Promise<AdminWebhookList>;
  /** Switch a webhook on again. POST /api/admin/webhooks/{webhook_id}/enable */
  enableWebhook: (call: Call<'enableWebhook'>) => Promise<AdminWebhook>;
  /** List the deliveries that were given up. GET /api/admin/webhooks/abandoned-deliveries */
  listAbandonedDeliveries: (call: Call<'listAbandonedDeliveries'>) => Promise<AdminDeliveryList>;
  /** List the requests for another tier. GET /api/admin/upgrade-requests */
  listUpgradeRequests: (call: Call<'listUpgradeRequests'>) => Promise<AdminUpgradeRequestList>;
  /** Approve a request for another tier. POST /api/admin/upgrade-requests/{upgrade_request_id}/approve */
  approveUpgradeRequest: (call: Call<'approveUpgradeRequest'>) => Promise<AdminUpgradeRequest>;
  /** Reject a request for another tier. POST /api/admin/upgrade-requests/{upgrade_request_id}/reject */
  rejectUpgradeRequest: (call: Call<'rejectUpgradeRequest'>) => Promise<AdminUpgradeRequest>;
  /** Get the whole story of a call. GET /api/admin/requests/{request_id} */
  getCall: (call: Call<'getCall'>) => Promise<AdminCall>;
  /** List what admins did. GET /api/admin/actions */
  listAdminActions: (call: Call<'listAdminActions'>) => Promise<AdminActionList>;
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

/** What operators look at: sums, health, tiers and calls of all accounts. */
export interface ReportsApi {
  /** See what waits for the operator. GET /api/admin/overview */
  getOperatorOverview: (call: Call<'getOperatorOverview'>) => Promise<OperatorOverview>;
  /** See what came in and what was used. GET /api/admin/revenue */
  getRevenue: (call: Call<'getRevenue'>) => Promise<Revenue>;
  /** See how chains, upstreams and the service do. GET /api/admin/health */
  getServiceHealth: (call: Call<'getServiceHealth'>) => Promise<ServiceHealth>;
  /** List the rates of every tier. GET /api/admin/tiers */
  listTiers: (call: Call<'listTiers'>) => Promise<TierList>;
  /** List the calls of all accounts. GET /api/admin/requests */
  listAllRequests: (call: Call<'listAllRequests'>) => Promise<AllRequestList>;
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

/** Probes for whoever runs the service. */
export interface HealthApi {
  /** Ask whether the process lives. GET /health/live */
  getLiveness: (call: Call<'getLiveness'>) => Promise<Health>;
  /** Ask whether the process can serve. GET /health/ready */
  getReadiness: (call: Call<'getReadiness'>) => Promise<Readiness>;
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
