// Generated from openapi/ by `npm run generate`. Do not edit.
import type { OperationSchemas } from '../src/contract/operation';

/** The named schemas; refer to them as `contract#/$defs/Name`. */
export const definitions = {
  "AccessKey": {
    "type": "object",
    "required": [
      "id",
      "name",
      "key_value_preview",
      "is_active",
      "created_at",
      "expires_at",
      "last_used_at",
      "limits"
    ],
    "properties": {
      "id": {
        "type": "string",
        "format": "uuid"
      },
      "name": {
        "type": "string"
      },
      "key_value_preview": {
        "type": "string"
      },
      "is_active": {
        "type": "boolean"
      },
      "created_at": {
        "type": "string",
        "format": "date-time"
      },
      "expires_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time"
      },
      "last_used_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time"
      },
      "limits": {
        "$ref": "contract#/$defs/SpendingLimits"
      }
    }
  },
  "AccessKeyCounts": {
    "type": "object",
    "required": [
      "active",
      "expired",
      "revoked",
      "last_used_at"
    ],
    "properties": {
      "active": {
        "type": "integer"
      },
      "expired": {
        "type": "integer"
      },
      "revoked": {
        "type": "integer"
      },
      "last_used_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time"
      }
    }
  },
  "AccessKeyReference": {
    "type": [
      "object",
      "null"
    ],
    "required": [
      "id",
      "name",
      "key_value_preview",
      "is_active"
    ],
    "properties": {
      "id": {
        "type": "string",
        "format": "uuid"
      },
      "name": {
        "type": "string"
      },
      "key_value_preview": {
        "type": "string"
      },
      "is_active": {
        "type": "boolean"
      }
    }
  },
  "AccessKeySecret": {
    "type": "object",
    "required": [
      "id",
      "name",
      "key_value",
      "is_active",
      "created_at",
      "expires_at"
    ],
    "properties": {
      "id": {
        "type": "string",
        "format": "uuid"
      },
      "name": {
        "type": "string"
      },
      "key_value": {
        "type": "string"
      },
      "is_active": {
        "type": "boolean"
      },
      "created_at": {
        "type": "string",
        "format": "date-time"
      },
      "expires_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time"
      }
    }
  },
  "AccessKeyUsage": {
    "type": "object",
    "required": [
      "key_id",
      "name",
      "requests",
      "tokens",
      "cost",
      "last_used_at",
      "by_operation",
      "daily"
    ],
    "properties": {
      "key_id": {
        "type": "string",
        "format": "uuid"
      },
      "name": {
        "type": "string"
      },
      "requests": {
        "type": "integer"
      },
      "tokens": {
        "type": "integer"
      },
      "cost": {
        "type": "number"
      },
      "last_used_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time"
      },
      "by_operation": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/OperationUsage"
        }
      },
      "daily": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/DailyUsage"
        }
      }
    }
  },
  "AccountActionRequest": {
    "type": "object",
    "additionalProperties": false,
    "properties": {
      "reason": {
        "type": "string",
        "minLength": 1,
        "maxLength": 500
      }
    }
  },
  "AccountCounts": {
    "type": "object",
    "required": [
      "total",
      "active",
      "new_last_7d"
    ],
    "properties": {
      "total": {
        "type": "integer"
      },
      "active": {
        "type": "integer"
      },
      "new_last_7d": {
        "type": "integer"
      }
    }
  },
  "AccountLimits": {
    "type": "object",
    "required": [
      "tier",
      "requests_per_second",
      "requests_per_minute",
      "requests_per_hour",
      "requests_per_day",
      "categories",
      "console"
    ],
    "properties": {
      "tier": {
        "type": "string",
        "enum": [
          "free",
          "basic",
          "pro",
          "enterprise"
        ]
      },
      "requests_per_second": {
        "type": [
          "number",
          "null"
        ]
      },
      "requests_per_minute": {
        "type": [
          "number",
          "null"
        ]
      },
      "requests_per_hour": {
        "type": [
          "number",
          "null"
        ]
      },
      "requests_per_day": {
        "type": [
          "number",
          "null"
        ]
      },
      "categories": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/CategoryLimits"
        }
      },
      "console": {
        "$ref": "contract#/$defs/ConsoleRates"
      }
    }
  },
  "AccountReceipt": {
    "type": "object",
    "required": [
      "user_id",
      "receipt"
    ],
    "properties": {
      "user_id": {
        "type": "string",
        "format": "uuid"
      },
      "receipt": {
        "$ref": "contract#/$defs/Receipt"
      }
    }
  },
  "AddCreditsRequest": {
    "type": "object",
    "additionalProperties": false,
    "required": [
      "user_id",
      "amount_usd",
      "reason"
    ],
    "properties": {
      "user_id": {
        "type": "string",
        "format": "uuid"
      },
      "amount_usd": {
        "type": "number",
        "minimum": 1e-9,
        "maximum": 1000000
      },
      "reason": {
        "type": "string",
        "minLength": 1,
        "maxLength": 500
      }
    }
  },
  "AdminAction": {
    "type": "object",
    "required": [
      "id",
      "admin_id",
      "operation",
      "user_id",
      "subject_id",
      "reason",
      "before",
      "after",
      "request_id",
      "created_at"
    ],
    "properties": {
      "id": {
        "type": "string",
        "format": "uuid"
      },
      "admin_id": {
        "type": "string",
        "format": "uuid"
      },
      "operation": {
        "$ref": "contract#/$defs/AdminOperation"
      },
      "user_id": {
        "type": "string",
        "format": "uuid"
      },
      "subject_id": {
        "type": "string",
        "format": "uuid"
      },
      "reason": {
        "type": [
          "string",
          "null"
        ]
      },
      "before": {
        "type": "object",
        "additionalProperties": true
      },
      "after": {
        "type": "object",
        "additionalProperties": true
      },
      "request_id": {
        "type": "string"
      },
      "created_at": {
        "type": "string",
        "format": "date-time"
      }
    }
  },
  "AdminActionList": {
    "type": "object",
    "required": [
      "actions",
      "total",
      "limit",
      "offset"
    ],
    "properties": {
      "actions": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/AdminAction"
        }
      },
      "total": {
        "type": "integer"
      },
      "limit": {
        "type": "integer"
      },
      "offset": {
        "type": "integer"
      }
    }
  },
  "AdminCall": {
    "type": "object",
    "required": [
      "user",
      "key",
      "receipt",
      "transactions"
    ],
    "properties": {
      "user": {
        "$ref": "contract#/$defs/UserReference"
      },
      "key": {
        "$ref": "contract#/$defs/AccessKeyReference"
      },
      "receipt": {
        "$ref": "contract#/$defs/Receipt"
      },
      "transactions": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/Transaction"
        }
      }
    }
  },
  "AdminDelivery": {
    "type": "object",
    "required": [
      "user_id",
      "delivery"
    ],
    "properties": {
      "user_id": {
        "type": "string",
        "format": "uuid"
      },
      "delivery": {
        "$ref": "contract#/$defs/WebhookDelivery"
      }
    }
  },
  "AdminDeliveryList": {
    "type": "object",
    "required": [
      "deliveries",
      "total",
      "limit",
      "offset"
    ],
    "properties": {
      "deliveries": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/AdminDelivery"
        }
      },
      "total": {
        "type": "integer"
      },
      "limit": {
        "type": "integer"
      },
      "offset": {
        "type": "integer"
      }
    }
  },
  "AdminOperation": {
    "type": "string",
    "enum": [
      "updateUser",
      "addCredits",
      "resolvePayment",
      "approveUpgradeRequest",
      "rejectUpgradeRequest",
      "enableWebhook",
      "createPasswordReset",
      "logoutUser"
    ]
  },
  "AdminPayment": {
    "type": "object",
    "required": [
      "payment",
      "review",
      "version"
    ],
    "properties": {
      "payment": {
        "$ref": "contract#/$defs/Payment"
      },
      "review": {
        "$ref": "contract#/$defs/PaymentReview"
      },
      "version": {
        "$ref": "contract#/$defs/PaymentVersion"
      }
    }
  },
  "AdminPaymentList": {
    "type": "object",
    "required": [
      "payments",
      "total",
      "limit",
      "offset"
    ],
    "properties": {
      "payments": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/AdminPayment"
        }
      },
      "total": {
        "type": "integer"
      },
      "limit": {
        "type": "integer"
      },
      "offset": {
        "type": "integer"
      }
    }
  },
  "AdminUpgradeRequest": {
    "type": "object",
    "required": [
      "user",
      "request",
      "decided_at",
      "decided_by",
      "note"
    ],
    "properties": {
      "user": {
        "$ref": "contract#/$defs/UserReference"
      },
      "request": {
        "$ref": "contract#/$defs/UpgradeRequest"
      },
      "decided_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time"
      },
      "decided_by": {
        "type": [
          "string",
          "null"
        ],
        "format": "uuid"
      },
      "note": {
        "type": [
          "string",
          "null"
        ]
      }
    }
  },
  "AdminUpgradeRequestList": {
    "type": "object",
    "required": [
      "upgrade_requests",
      "total",
      "limit",
      "offset"
    ],
    "properties": {
      "upgrade_requests": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/AdminUpgradeRequest"
        }
      },
      "total": {
        "type": "integer"
      },
      "limit": {
        "type": "integer"
      },
      "offset": {
        "type": "integer"
      }
    }
  },
  "AdminUser": {
    "type": "object",
    "required": [
      "id",
      "email",
      "username",
      "role",
      "is_email_verified",
      "created_at",
      "tier",
      "is_active",
      "balance",
      "rate_limits"
    ],
    "properties": {
      "id": {
        "type": "string",
        "format": "uuid"
      },
      "email": {
        "type": "string"
      },
      "username": {
        "type": "string"
      },
      "role": {
        "type": "string",
        "enum": [
          "user",
          "admin"
        ]
      },
      "is_email_verified": {
        "type": "boolean"
      },
      "created_at": {
        "type": "string",
        "format": "date-time"
      },
      "tier": {
        "type": "string",
        "enum": [
          "free",
          "basic",
          "pro",
          "enterprise"
        ]
      },
      "is_active": {
        "type": "boolean"
      },
      "balance": {
        "type": "number"
      },
      "rate_limits": {
        "$ref": "contract#/$defs/CustomRateLimits"
      }
    }
  },
  "AdminUserDetails": {
    "type": "object",
    "required": [
      "id",
      "email",
      "username",
      "role",
      "is_email_verified",
      "created_at",
      "tier",
      "is_active",
      "balance",
      "rate_limits",
      "reserved",
      "available",
      "rates",
      "keys",
      "webhooks",
      "payments_in_review",
      "pending_upgrade_request_id"
    ],
    "properties": {
      "id": {
        "type": "string",
        "format": "uuid"
      },
      "email": {
        "type": "string"
      },
      "username": {
        "type": "string"
      },
      "role": {
        "type": "string",
        "enum": [
          "user",
          "admin"
        ]
      },
      "is_email_verified": {
        "type": "boolean"
      },
      "created_at": {
        "type": "string",
        "format": "date-time"
      },
      "tier": {
        "type": "string",
        "enum": [
          "free",
          "basic",
          "pro",
          "enterprise"
        ]
      },
      "is_active": {
        "type": "boolean"
      },
      "balance": {
        "type": "number"
      },
      "rate_limits": {
        "$ref": "contract#/$defs/CustomRateLimits"
      },
      "reserved": {
        "type": "number"
      },
      "available": {
        "type": "number"
      },
      "rates": {
        "$ref": "contract#/$defs/RatesInForce"
      },
      "keys": {
        "$ref": "contract#/$defs/AccessKeyCounts"
      },
      "webhooks": {
        "$ref": "contract#/$defs/WebhookCounts"
      },
      "payments_in_review": {
        "type": "integer"
      },
      "pending_upgrade_request_id": {
        "type": [
          "string",
          "null"
        ],
        "format": "uuid"
      }
    }
  },
  "AdminUserList": {
    "type": "object",
    "required": [
      "users",
      "total",
      "limit",
      "offset"
    ],
    "properties": {
      "users": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/AdminUser"
        }
      },
      "total": {
        "type": "integer"
      },
      "limit": {
        "type": "integer"
      },
      "offset": {
        "type": "integer"
      }
    }
  },
  "AdminWebhook": {
    "type": "object",
    "required": [
      "user_id",
      "webhook"
    ],
    "properties": {
      "user_id": {
        "type": "string",
        "format": "uuid"
      },
      "webhook": {
        "$ref": "contract#/$defs/Webhook"
      }
    }
  },
  "AdminWebhookList": {
    "type": "object",
    "required": [
      "webhooks",
      "total",
      "limit",
      "offset"
    ],
    "properties": {
      "webhooks": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/AdminWebhook"
        }
      },
      "total": {
        "type": "integer"
      },
      "limit": {
        "type": "integer"
      },
      "offset": {
        "type": "integer"
      }
    }
  },
  "Agent": {
    "type": "object",
    "required": [
      "id",
      "name",
      "system_prompt",
      "model",
      "temperature",
      "max_tokens",
      "tools",
      "memory",
      "metadata",
      "created_at",
      "updated_at"
    ],
    "properties": {
      "id": {
        "type": "string",
        "format": "uuid"
      },
      "name": {
        "type": "string"
      },
      "system_prompt": {
        "type": [
          "string",
          "null"
        ]
      },
      "model": {
        "type": [
          "string",
          "null"
        ]
      },
      "temperature": {
        "type": [
          "number",
          "null"
        ]
      },
      "max_tokens": {
        "type": [
          "integer",
          "null"
        ]
      },
      "tools": {
        "type": "array",
        "items": {
          "type": "string"
        }
      },
      "memory": {
        "$ref": "contract#/$defs/AgentMemorySettings"
      },
      "metadata": {
        "type": "object",
        "maxProperties": 200,
        "additionalProperties": true
      },
      "created_at": {
        "type": "string",
        "format": "date-time"
      },
      "updated_at": {
        "type": "string",
        "format": "date-time"
      }
    }
  },
  "AgentAnswerMessage": {
    "type": "object",
    "required": [
      "role",
      "content"
    ],
    "properties": {
      "role": {
        "type": "string",
        "enum": [
          "assistant"
        ]
      },
      "content": {
        "type": "string"
      }
    }
  },
  "AgentChat": {
    "type": "object",
    "required": [
      "message",
      "model",
      "agent_id",
      "finish_reason",
      "usage",
      "steps"
    ],
    "properties": {
      "message": {
        "$ref": "contract#/$defs/AgentAnswerMessage"
      },
      "model": {
        "type": "string"
      },
      "agent_id": {
        "type": [
          "string",
          "null"
        ]
      },
      "finish_reason": {
        "type": [
          "string",
          "null"
        ]
      },
      "usage": {
        "$ref": "contract#/$defs/AnswerUsage"
      },
      "steps": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/AgentStep"
        }
      }
    }
  },
  "AgentChatResponse": {
    "type": "object",
    "required": [
      "data",
      "metadata"
    ],
    "properties": {
      "data": {
        "$ref": "contract#/$defs/AgentChat"
      },
      "metadata": {
        "$ref": "contract#/$defs/ResponseMetadata"
      }
    }
  },
  "AgentList": {
    "type": "object",
    "required": [
      "agents",
      "total",
      "limit",
      "offset",
      "truncated"
    ],
    "properties": {
      "agents": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/Agent"
        }
      },
      "total": {
        "type": "integer"
      },
      "limit": {
        "type": "integer"
      },
      "offset": {
        "type": "integer"
      },
      "truncated": {
        "type": "boolean"
      }
    }
  },
  "AgentListResponse": {
    "type": "object",
    "required": [
      "data",
      "metadata"
    ],
    "properties": {
      "data": {
        "$ref": "contract#/$defs/AgentList"
      },
      "metadata": {
        "$ref": "contract#/$defs/ResponseMetadata"
      }
    }
  },
  "AgentMaxTokens": {
    "type": [
      "integer",
      "null"
    ],
    "minimum": 1,
    "maximum": 32768
  },
  "AgentMemory": {
    "type": "object",
    "additionalProperties": false,
    "properties": {
      "enabled": {
        "type": "boolean",
        "default": false
      },
      "namespace": {
        "type": "string",
        "minLength": 1,
        "maxLength": 100,
        "default": "default"
      },
      "top_k": {
        "type": "integer",
        "minimum": 1,
        "maximum": 20,
        "default": 5
      }
    }
  },
  "AgentMemorySettings": {
    "type": "object",
    "required": [
      "enabled",
      "namespace",
      "top_k"
    ],
    "properties": {
      "enabled": {
        "type": "boolean"
      },
      "namespace": {
        "type": "string"
      },
      "top_k": {
        "type": "integer"
      }
    }
  },
  "AgentMessage": {
    "type": "object",
    "additionalProperties": false,
    "required": [
      "role",
      "content"
    ],
    "properties": {
      "role": {
        "type": "string",
        "enum": [
          "system",
          "user",
          "assistant"
        ]
      },
      "content": {
        "type": "string",
        "maxLength": 400000
      }
    }
  },
  "AgentMetadata": {
    "type": "object",
    "maxProperties": 100,
    "additionalProperties": true
  },
  "AgentModel": {
    "type": [
      "string",
      "null"
    ],
    "minLength": 1,
    "maxLength": 200
  },
  "AgentReference": {
    "type": [
      "string",
      "null"
    ],
    "maxLength": 100
  },
  "AgentResponse": {
    "type": "object",
    "required": [
      "data",
      "metadata"
    ],
    "properties": {
      "data": {
        "$ref": "contract#/$defs/Agent"
      },
      "metadata": {
        "$ref": "contract#/$defs/ResponseMetadata"
      }
    }
  },
  "AgentStep": {
    "type": "object",
    "required": [
      "model",
      "finish_reason",
      "tool_calls",
      "usage"
    ],
    "properties": {
      "model": {
        "type": "string"
      },
      "finish_reason": {
        "type": [
          "string",
          "null"
        ]
      },
      "tool_calls": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/AgentStepToolCall"
        }
      },
      "usage": {
        "$ref": "contract#/$defs/AnswerUsage"
      }
    }
  },
  "AgentStepToolCall": {
    "type": "object",
    "required": [
      "name",
      "arguments",
      "result",
      "is_error"
    ],
    "properties": {
      "name": {
        "type": "string"
      },
      "arguments": {
        "type": "string"
      },
      "result": {
        "type": "string"
      },
      "is_error": {
        "type": "boolean"
      }
    }
  },
  "AgentSystemPrompt": {
    "type": [
      "string",
      "null"
    ],
    "maxLength": 100000
  },
  "AgentTemperature": {
    "type": [
      "number",
      "null"
    ],
    "minimum": 0,
    "maximum": 2
  },
  "AgentText": {
    "type": "object",
    "required": [
      "text",
      "model",
      "agent_id",
      "finish_reason",
      "usage",
      "steps"
    ],
    "properties": {
      "text": {
        "type": "string"
      },
      "model": {
        "type": "string"
      },
      "agent_id": {
        "type": [
          "string",
          "null"
        ]
      },
      "finish_reason": {
        "type": [
          "string",
          "null"
        ]
      },
      "usage": {
        "$ref": "contract#/$defs/AnswerUsage"
      },
      "steps": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/AgentStep"
        }
      }
    }
  },
  "AgentTextResponse": {
    "type": "object",
    "required": [
      "data",
      "metadata"
    ],
    "properties": {
      "data": {
        "$ref": "contract#/$defs/AgentText"
      },
      "metadata": {
        "$ref": "contract#/$defs/ResponseMetadata"
      }
    }
  },
  "AgentTools": {
    "type": "array",
    "uniqueItems": true,
    "maxItems": 4,
    "items": {
      "type": "string",
      "enum": [
        "rag.retrieve",
        "memory.search",
        "calculator",
        "time"
      ]
    }
  },
  "AllRequestList": {
    "type": "object",
    "required": [
      "requests",
      "next_cursor"
    ],
    "properties": {
      "requests": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/AccountReceipt"
        }
      },
      "next_cursor": {
        "type": [
          "string",
          "null"
        ]
      }
    }
  },
  "AllowDegraded": {
    "type": "boolean"
  },
  "AnalyzeAdvancedRequest": {
    "type": "object",
    "additionalProperties": false,
    "properties": {
      "content": {
        "$ref": "contract#/$defs/SourceContent"
      },
      "document_id": {
        "$ref": "contract#/$defs/SourceDocumentId"
      },
      "sentences": {
        "type": "integer",
        "minimum": 1,
        "maximum": 20,
        "default": 5
      },
      "keywords_max": {
        "type": "integer",
        "minimum": 1,
        "maximum": 100,
        "default": 20
      },
      "model": {
        "$ref": "contract#/$defs/AnsweringModel"
      },
      "max_tokens": {
        "$ref": "contract#/$defs/AnswerTokensMax"
      },
      "allow_degraded": {
        "$ref": "contract#/$defs/AllowDegraded"
      }
    }
  },
  "AnalyzeInputsRequest": {
    "type": "object",
    "additionalProperties": false,
    "required": [
      "inputs"
    ],
    "properties": {
      "inputs": {
        "$ref": "contract#/$defs/OmmInputs"
      },
      "max_input_tokens": {
        "$ref": "contract#/$defs/OmmInputTokensMax",
        "default": 20000
      },
      "max_tokens": {
        "$ref": "contract#/$defs/AnswerTokensMax"
      }
    }
  },
  "AnalyzeLegalRequest": {
    "type": "object",
    "additionalProperties": false,
    "properties": {
      "content": {
        "$ref": "contract#/$defs/SourceContent"
      },
      "document_id": {
        "$ref": "contract#/$defs/SourceDocumentId"
      },
      "model": {
        "$ref": "contract#/$defs/AnsweringModel"
      },
      "max_tokens": {
        "$ref": "contract#/$defs/AnswerTokensMax"
      },
      "allow_degraded": {
        "$ref": "contract#/$defs/AllowDegraded"
      }
    }
  },
  "AnalyzeProfessionalRequest": {
    "type": "object",
    "additionalProperties": false,
    "properties": {
      "content": {
        "$ref": "contract#/$defs/SourceContent"
      },
      "document_id": {
        "$ref": "contract#/$defs/SourceDocumentId"
      },
      "model": {
        "$ref": "contract#/$defs/AnsweringModel"
      },
      "max_tokens": {
        "$ref": "contract#/$defs/AnswerTokensMax"
      },
      "allow_degraded": {
        "$ref": "contract#/$defs/AllowDegraded"
      }
    }
  },
  "AnalyzeScholarRequest": {
    "type": "object",
    "additionalProperties": false,
    "properties": {
      "content": {
        "$ref": "contract#/$defs/SourceContent"
      },
      "document_id": {
        "$ref": "contract#/$defs/SourceDocumentId"
      },
      "model": {
        "$ref": "contract#/$defs/AnsweringModel"
      },
      "max_tokens": {
        "$ref": "contract#/$defs/AnswerTokensMax"
      },
      "allow_degraded": {
        "$ref": "contract#/$defs/AllowDegraded"
      }
    }
  },
  "AnomalyDetectedData": {
    "type": "object",
    "required": [
      "user_id",
      "access_key_id",
      "kind",
      "count",
      "since"
    ],
    "properties": {
      "user_id": {
        "type": "string",
        "format": "uuid"
      },
      "access_key_id": {
        "type": "string",
        "format": "uuid"
      },
      "kind": {
        "type": "string",
        "enum": [
          "invalid_credentials",
          "many_addresses"
        ]
      },
      "count": {
        "type": "integer"
      },
      "since": {
        "type": "string",
        "format": "date-time"
      },
      "test": {
        "type": "boolean",
        "enum": [
          true
        ]
      }
    }
  },
  "AnomalyDetectedEvent": {
    "type": "object",
    "required": [
      "event_id",
      "event_type",
      "timestamp",
      "data",
      "signature"
    ],
    "properties": {
      "event_id": {
        "type": "string",
        "format": "uuid"
      },
      "event_type": {
        "type": "string",
        "enum": [
          "anomaly.detected"
        ]
      },
      "timestamp": {
        "type": "string",
        "format": "date-time"
      },
      "data": {
        "$ref": "contract#/$defs/AnomalyDetectedData"
      },
      "signature": {
        "type": "string"
      }
    }
  },
  "AnswerDropped": {
    "type": "integer"
  },
  "AnswerTokensMax": {
    "type": [
      "integer",
      "null"
    ],
    "minimum": 1,
    "maximum": 32768
  },
  "AnswerTruncated": {
    "type": "boolean"
  },
  "AnswerUsage": {
    "type": "object",
    "required": [
      "input_tokens",
      "output_tokens",
      "total_tokens"
    ],
    "properties": {
      "input_tokens": {
        "type": "integer"
      },
      "output_tokens": {
        "type": "integer"
      },
      "total_tokens": {
        "type": "integer"
      }
    }
  },
  "AnsweredBy": {
    "type": "string"
  },
  "AnsweredMessage": {
    "type": "object",
    "additionalProperties": true,
    "required": [
      "id",
      "type",
      "role",
      "model",
      "content",
      "stop_reason"
    ],
    "properties": {
      "id": {
        "type": "string"
      },
      "type": {
        "type": "string",
        "enum": [
          "message"
        ]
      },
      "role": {
        "type": "string",
        "enum": [
          "assistant"
        ]
      },
      "model": {
        "type": "string"
      },
      "content": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/MessageBlock"
        }
      },
      "stop_reason": {
        "type": [
          "string",
          "null"
        ]
      },
      "stop_sequence": {
        "type": [
          "string",
          "null"
        ]
      },
      "usage": {
        "$ref": "contract#/$defs/MessageUsage"
      }
    }
  },
  "AnsweringModel": {
    "type": [
      "string",
      "null"
    ],
    "minLength": 1,
    "maxLength": 200
  },
  "ApiError": {
    "type": "object",
    "required": [
      "error",
      "message",
      "request_id",
      "timestamp"
    ],
    "properties": {
      "error": {
        "type": "string"
      },
      "message": {
        "type": "string"
      },
      "request_id": {
        "type": "string"
      },
      "timestamp": {
        "type": "string",
        "format": "date-time"
      }
    }
  },
  "ApproveUpgradeRequest": {
    "type": "object",
    "additionalProperties": false,
    "properties": {
      "note": {
        "type": "string",
        "minLength": 1,
        "maxLength": 500
      },
      "rate_limits": {
        "$ref": "contract#/$defs/CustomRateLimitsRequest"
      }
    }
  },
  "Balance": {
    "type": "object",
    "required": [
      "balance",
      "reserved",
      "available"
    ],
    "properties": {
      "balance": {
        "type": "number"
      },
      "reserved": {
        "type": "number"
      },
      "available": {
        "type": "number"
      }
    }
  },
  "BalanceDepletedData": {
    "type": "object",
    "required": [
      "user_id",
      "previous_balance",
      "balance",
      "transaction_id"
    ],
    "properties": {
      "user_id": {
        "type": "string",
        "format": "uuid"
      },
      "previous_balance": {
        "type": "number"
      },
      "balance": {
        "type": "number"
      },
      "transaction_id": {
        "type": "string"
      },
      "test": {
        "type": "boolean",
        "enum": [
          true
        ]
      }
    }
  },
  "BalanceDepletedEvent": {
    "type": "object",
    "required": [
      "event_id",
      "event_type",
      "timestamp",
      "data",
      "signature"
    ],
    "properties": {
      "event_id": {
        "type": "string",
        "format": "uuid"
      },
      "event_type": {
        "type": "string",
        "enum": [
          "balance.depleted"
        ]
      },
      "timestamp": {
        "type": "string",
        "format": "date-time"
      },
      "data": {
        "$ref": "contract#/$defs/BalanceDepletedData"
      },
      "signature": {
        "type": "string"
      }
    }
  },
  "BalanceLowData": {
    "type": "object",
    "required": [
      "user_id",
      "previous_balance",
      "balance",
      "threshold",
      "transaction_id"
    ],
    "properties": {
      "user_id": {
        "type": "string",
        "format": "uuid"
      },
      "previous_balance": {
        "type": "number"
      },
      "balance": {
        "type": "number"
      },
      "threshold": {
        "type": "number"
      },
      "transaction_id": {
        "type": "string"
      },
      "test": {
        "type": "boolean",
        "enum": [
          true
        ]
      }
    }
  },
  "BalanceLowEvent": {
    "type": "object",
    "required": [
      "event_id",
      "event_type",
      "timestamp",
      "data",
      "signature"
    ],
    "properties": {
      "event_id": {
        "type": "string",
        "format": "uuid"
      },
      "event_type": {
        "type": "string",
        "enum": [
          "balance.low"
        ]
      },
      "timestamp": {
        "type": "string",
        "format": "date-time"
      },
      "data": {
        "$ref": "contract#/$defs/BalanceLowData"
      },
      "signature": {
        "type": "string"
      }
    }
  },
  "BalanceUpdatedData": {
    "type": "object",
    "required": [
      "user_id",
      "previous_balance",
      "new_balance",
      "change",
      "reason",
      "reference_id",
      "transaction_id",
      "ledger_position",
      "metadata"
    ],
    "properties": {
      "user_id": {
        "type": "string",
        "format": "uuid"
      },
      "previous_balance": {
        "type": "number"
      },
      "new_balance": {
        "type": "number"
      },
      "change": {
        "type": "number"
      },
      "reason": {
        "type": "string",
        "enum": [
          "deposit",
          "charge",
          "refund",
          "adjustment",
          "bonus"
        ]
      },
      "reference_id": {
        "type": [
          "string",
          "null"
        ]
      },
      "transaction_id": {
        "type": "string"
      },
      "ledger_position": {
        "type": "integer"
      },
      "metadata": {
        "$ref": "contract#/$defs/BalanceUpdatedMetadata"
      },
      "test": {
        "type": "boolean",
        "enum": [
          true
        ]
      }
    }
  },
  "BalanceUpdatedEvent": {
    "type": "object",
    "required": [
      "event_id",
      "event_type",
      "timestamp",
      "data",
      "signature"
    ],
    "properties": {
      "event_id": {
        "type": "string",
        "format": "uuid"
      },
      "event_type": {
        "type": "string",
        "enum": [
          "balance.updated"
        ]
      },
      "timestamp": {
        "type": "string",
        "format": "date-time"
      },
      "data": {
        "$ref": "contract#/$defs/BalanceUpdatedData"
      },
      "signature": {
        "type": "string"
      }
    }
  },
  "BalanceUpdatedMetadata": {
    "type": "object",
    "required": [
      "route",
      "method",
      "request_id",
      "cause"
    ],
    "properties": {
      "route": {
        "type": [
          "string",
          "null"
        ]
      },
      "method": {
        "type": [
          "string",
          "null"
        ]
      },
      "request_id": {
        "type": [
          "string",
          "null"
        ]
      },
      "cause": {
        "type": [
          "string",
          "null"
        ],
        "enum": [
          "call",
          "task",
          "payment",
          "admin",
          "service",
          null
        ]
      }
    }
  },
  "Brainstorm": {
    "type": "object",
    "required": [
      "kind",
      "ideas",
      "model",
      "truncated",
      "usage"
    ],
    "properties": {
      "kind": {
        "type": "string",
        "enum": [
          "ideas"
        ],
        "deprecated": true
      },
      "ideas": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/CreativeIdea"
        }
      },
      "model": {
        "$ref": "contract#/$defs/AnsweredBy"
      },
      "truncated": {
        "$ref": "contract#/$defs/AnswerTruncated"
      },
      "usage": {
        "$ref": "contract#/$defs/AnswerUsage"
      }
    }
  },
  "BrainstormCreativeRequest": {
    "type": "object",
    "additionalProperties": false,
    "required": [
      "topic"
    ],
    "properties": {
      "topic": {
        "type": "string",
        "minLength": 1,
        "maxLength": 4000
      },
      "count": {
        "type": "integer",
        "minimum": 1,
        "maximum": 25,
        "default": 7
      },
      "model": {
        "$ref": "contract#/$defs/AnsweringModel"
      },
      "max_tokens": {
        "$ref": "contract#/$defs/AnswerTokensMax"
      },
      "allow_degraded": {
        "$ref": "contract#/$defs/AllowDegraded"
      }
    }
  },
  "BrainstormResponse": {
    "type": "object",
    "required": [
      "data",
      "metadata"
    ],
    "properties": {
      "data": {
        "$ref": "contract#/$defs/Brainstorm"
      },
      "metadata": {
        "$ref": "contract#/$defs/ResponseMetadata"
      }
    }
  },
  "CategoryLimits": {
    "type": "object",
    "required": [
      "category",
      "multiplier",
      "requests_per_second",
      "requests_per_minute",
      "requests_per_hour",
      "requests_per_day"
    ],
    "properties": {
      "category": {
        "type": "string",
        "enum": [
          "health",
          "read",
          "write",
          "llm",
          "heavy"
        ]
      },
      "multiplier": {
        "type": [
          "number",
          "null"
        ]
      },
      "requests_per_second": {
        "type": [
          "number",
          "null"
        ]
      },
      "requests_per_minute": {
        "type": [
          "number",
          "null"
        ]
      },
      "requests_per_hour": {
        "type": [
          "number",
          "null"
        ]
      },
      "requests_per_day": {
        "type": [
          "number",
          "null"
        ]
      }
    }
  },
  "ChainHealth": {
    "type": "object",
    "required": [
      "currency",
      "network",
      "is_sandbox",
      "tip_height",
      "tip_time",
      "succeeded_at",
      "failed_at",
      "fault",
      "open_payments"
    ],
    "properties": {
      "currency": {
        "$ref": "contract#/$defs/PaymentCurrency"
      },
      "network": {
        "type": [
          "string",
          "null"
        ]
      },
      "is_sandbox": {
        "type": "boolean"
      },
      "tip_height": {
        "type": [
          "integer",
          "null"
        ]
      },
      "tip_time": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time"
      },
      "succeeded_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time"
      },
      "failed_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time"
      },
      "fault": {
        "type": [
          "string",
          "null"
        ]
      },
      "open_payments": {
        "type": "integer"
      }
    }
  },
  "ChangePasswordRequest": {
    "type": "object",
    "additionalProperties": false,
    "required": [
      "current_password",
      "new_password"
    ],
    "properties": {
      "current_password": {
        "type": "string",
        "minLength": 1,
        "maxLength": 128
      },
      "new_password": {
        "type": "string",
        "minLength": 8,
        "maxLength": 128,
        "x-fault": "must be at least 8 characters long; 12 or more are recommended"
      }
    }
  },
  "ChatChoice": {
    "type": "object",
    "maxProperties": 200,
    "additionalProperties": true,
    "required": [
      "index",
      "message",
      "finish_reason"
    ],
    "properties": {
      "index": {
        "type": "integer"
      },
      "message": {
        "$ref": "contract#/$defs/ChatCompletionMessage"
      },
      "finish_reason": {
        "type": [
          "string",
          "null"
        ]
      },
      "logprobs": {
        "type": [
          "object",
          "null"
        ],
        "additionalProperties": true
      }
    }
  },
  "ChatChunkChoice": {
    "type": "object",
    "additionalProperties": true,
    "required": [
      "index",
      "delta"
    ],
    "properties": {
      "index": {
        "type": "integer"
      },
      "delta": {
        "$ref": "contract#/$defs/ChatDelta"
      },
      "finish_reason": {
        "type": [
          "string",
          "null"
        ]
      },
      "logprobs": {
        "type": [
          "object",
          "null"
        ],
        "additionalProperties": true
      }
    }
  },
  "ChatCompletion": {
    "type": "object",
    "maxProperties": 200,
    "additionalProperties": true,
    "required": [
      "id",
      "object",
      "created",
      "model",
      "choices",
      "usage"
    ],
    "properties": {
      "id": {
        "type": "string"
      },
      "object": {
        "type": "string",
        "enum": [
          "chat.completion"
        ]
      },
      "created": {
        "type": "integer"
      },
      "model": {
        "type": "string"
      },
      "choices": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/ChatChoice"
        }
      },
      "usage": {
        "$ref": "contract#/$defs/CompletionUsage"
      }
    }
  },
  "ChatCompletionChunk": {
    "type": "object",
    "additionalProperties": true,
    "required": [
      "id",
      "object",
      "created",
      "model",
      "choices"
    ],
    "properties": {
      "id": {
        "type": "string"
      },
      "object": {
        "type": "string",
        "enum": [
          "chat.completion.chunk"
        ]
      },
      "created": {
        "type": "integer"
      },
      "model": {
        "type": "string"
      },
      "choices": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/ChatChunkChoice"
        }
      },
      "usage": {
        "$ref": "contract#/$defs/StreamedUsage"
      }
    }
  },
  "ChatCompletionEvent": {
    "anyOf": [
      {
        "$ref": "contract#/$defs/ChatCompletionChunk"
      },
      {
        "$ref": "contract#/$defs/StreamError"
      }
    ]
  },
  "ChatCompletionMessage": {
    "type": "object",
    "maxProperties": 200,
    "additionalProperties": true,
    "required": [
      "role",
      "content"
    ],
    "properties": {
      "role": {
        "type": "string",
        "enum": [
          "assistant"
        ]
      },
      "content": {
        "type": [
          "string",
          "null"
        ]
      },
      "refusal": {
        "type": [
          "string",
          "null"
        ]
      }
    }
  },
  "ChatContentPart": {
    "$ref": "contract#/$defs/OtherContentPart"
  },
  "ChatDelta": {
    "type": "object",
    "additionalProperties": true,
    "properties": {
      "role": {
        "type": "string"
      },
      "content": {
        "type": [
          "string",
          "null"
        ]
      },
      "refusal": {
        "type": [
          "string",
          "null"
        ]
      },
      "tool_calls": {
        "type": [
          "array",
          "null"
        ],
        "items": {
          "$ref": "contract#/$defs/ToolCallDelta"
        }
      }
    }
  },
  "ChatMessage": {
    "type": "object",
    "maxProperties": 50,
    "additionalProperties": true,
    "required": [
      "role"
    ],
    "properties": {
      "role": {
        "type": "string",
        "enum": [
          "developer",
          "system",
          "user",
          "assistant",
          "tool",
          "function"
        ]
      },
      "content": {
        "oneOf": [
          {
            "type": "string"
          },
          {
            "type": "array",
            "minItems": 1,
            "maxItems": 30000,
            "items": {
              "$ref": "contract#/$defs/ChatContentPart"
            }
          },
          {
            "type": "null"
          }
        ]
      },
      "name": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 200
      },
      "tool_call_id": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 200
      },
      "tool_calls": {
        "type": [
          "array",
          "null"
        ],
        "maxItems": 128,
        "items": {
          "type": "object",
          "maxProperties": 200,
          "additionalProperties": true
        }
      }
    }
  },
  "ChatWithAgentRequest": {
    "type": "object",
    "additionalProperties": false,
    "required": [
      "messages"
    ],
    "properties": {
      "messages": {
        "type": "array",
        "minItems": 1,
        "maxItems": 1000,
        "items": {
          "$ref": "contract#/$defs/AgentMessage"
        }
      },
      "agent_id": {
        "$ref": "contract#/$defs/AgentReference"
      },
      "model": {
        "$ref": "contract#/$defs/AgentModel"
      },
      "temperature": {
        "$ref": "contract#/$defs/AgentTemperature"
      },
      "max_tokens": {
        "$ref": "contract#/$defs/AgentMaxTokens"
      },
      "stream": {
        "type": "boolean"
      },
      "allow_degraded": {
        "$ref": "contract#/$defs/AllowDegraded"
      }
    }
  },
  "CiteScholarRequest": {
    "type": "object",
    "additionalProperties": false,
    "required": [
      "sources",
      "style"
    ],
    "properties": {
      "sources": {
        "type": "array",
        "minItems": 1,
        "maxItems": 100,
        "items": {
          "$ref": "contract#/$defs/ScholarSource"
        }
      },
      "style": {
        "type": "string",
        "enum": [
          "apa",
          "mla",
          "chicago",
          "bibtex",
          "ris"
        ]
      }
    }
  },
  "ClassLatency": {
    "type": "object",
    "required": [
      "rate_class",
      "requests",
      "p50_ms",
      "p95_ms",
      "p99_ms"
    ],
    "properties": {
      "rate_class": {
        "type": "string"
      },
      "requests": {
        "type": "integer"
      },
      "p50_ms": {
        "type": "number"
      },
      "p95_ms": {
        "type": "number"
      },
      "p99_ms": {
        "type": "number"
      }
    }
  },
  "ClassifyResult": {
    "type": "object",
    "required": [
      "type",
      "label",
      "evidence"
    ],
    "properties": {
      "type": {
        "type": "string",
        "enum": [
          "classify"
        ]
      },
      "label": {
        "type": [
          "string",
          "null"
        ]
      },
      "evidence": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/QuotedSentence"
        }
      }
    }
  },
  "CompareLegalRequest": {
    "type": "object",
    "additionalProperties": false,
    "required": [
      "before",
      "after"
    ],
    "properties": {
      "before": {
        "$ref": "contract#/$defs/ComparedText"
      },
      "after": {
        "$ref": "contract#/$defs/ComparedText"
      },
      "model": {
        "$ref": "contract#/$defs/AnsweringModel"
      },
      "max_tokens": {
        "$ref": "contract#/$defs/AnswerTokensMax"
      },
      "allow_degraded": {
        "$ref": "contract#/$defs/AllowDegraded"
      }
    }
  },
  "ComparedText": {
    "type": "object",
    "additionalProperties": false,
    "properties": {
      "content": {
        "$ref": "contract#/$defs/SourceContent"
      },
      "document_id": {
        "$ref": "contract#/$defs/SourceDocumentId"
      }
    }
  },
  "CompletionUsage": {
    "type": "object",
    "maxProperties": 200,
    "additionalProperties": true,
    "required": [
      "prompt_tokens",
      "completion_tokens",
      "total_tokens"
    ],
    "properties": {
      "prompt_tokens": {
        "type": "integer"
      },
      "completion_tokens": {
        "type": "integer"
      },
      "total_tokens": {
        "type": "integer"
      }
    }
  },
  "ConsoleRates": {
    "type": "object",
    "required": [
      "requests_per_second",
      "requests_per_minute",
      "requests_per_hour",
      "requests_per_day"
    ],
    "properties": {
      "requests_per_second": {
        "type": [
          "number",
          "null"
        ]
      },
      "requests_per_minute": {
        "type": [
          "number",
          "null"
        ]
      },
      "requests_per_hour": {
        "type": [
          "number",
          "null"
        ]
      },
      "requests_per_day": {
        "type": [
          "number",
          "null"
        ]
      }
    }
  },
  "ConsoleSession": {
    "type": "object",
    "required": [
      "id",
      "kind",
      "expires_at",
      "password_valid_until",
      "user"
    ],
    "properties": {
      "id": {
        "type": "string",
        "format": "uuid"
      },
      "kind": {
        "type": "string",
        "enum": [
          "cookie",
          "token"
        ]
      },
      "expires_at": {
        "type": "string",
        "format": "date-time"
      },
      "password_valid_until": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time"
      },
      "user": {
        "$ref": "contract#/$defs/SessionUser"
      }
    }
  },
  "ConsoleSessionList": {
    "type": "object",
    "required": [
      "sessions"
    ],
    "properties": {
      "sessions": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/ListedSession"
        }
      }
    }
  },
  "ContentAnalysis": {
    "type": "object",
    "required": [
      "summary",
      "key_points",
      "keywords",
      "tone",
      "language",
      "statistics",
      "readability",
      "entities",
      "entities_total",
      "headings",
      "model",
      "truncated",
      "dropped",
      "usage"
    ],
    "properties": {
      "summary": {
        "type": "string"
      },
      "key_points": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/QuotedSentence"
        }
      },
      "keywords": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/FoundKeyword"
        }
      },
      "tone": {
        "anyOf": [
          {
            "$ref": "contract#/$defs/TextTone"
          },
          {
            "type": "null"
          }
        ]
      },
      "language": {
        "type": [
          "string",
          "null"
        ]
      },
      "statistics": {
        "$ref": "contract#/$defs/TextCounts"
      },
      "readability": {
        "$ref": "contract#/$defs/TextReadability"
      },
      "entities": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/FoundEntity"
        }
      },
      "entities_total": {
        "type": "integer"
      },
      "headings": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/OutlineHeading"
        }
      },
      "model": {
        "$ref": "contract#/$defs/AnsweredBy"
      },
      "truncated": {
        "$ref": "contract#/$defs/AnswerTruncated"
      },
      "dropped": {
        "$ref": "contract#/$defs/AnswerDropped"
      },
      "usage": {
        "$ref": "contract#/$defs/AnswerUsage"
      }
    }
  },
  "ContentAnalysisResponse": {
    "type": "object",
    "required": [
      "data",
      "metadata"
    ],
    "properties": {
      "data": {
        "$ref": "contract#/$defs/ContentAnalysis"
      },
      "metadata": {
        "$ref": "contract#/$defs/ResponseMetadata"
      }
    }
  },
  "ContentBlockDelta": {
    "type": "object",
    "additionalProperties": true,
    "required": [
      "type"
    ],
    "properties": {
      "type": {
        "type": "string"
      },
      "text": {
        "type": "string"
      },
      "partial_json": {
        "type": "string"
      },
      "thinking": {
        "type": "string"
      }
    }
  },
  "ContentBlockDeltaEvent": {
    "type": "object",
    "additionalProperties": true,
    "required": [
      "type",
      "index",
      "delta"
    ],
    "properties": {
      "type": {
        "type": "string",
        "enum": [
          "content_block_delta"
        ]
      },
      "index": {
        "type": "integer"
      },
      "delta": {
        "$ref": "contract#/$defs/ContentBlockDelta"
      }
    }
  },
  "ContentBlockStartEvent": {
    "type": "object",
    "additionalProperties": true,
    "required": [
      "type",
      "index",
      "content_block"
    ],
    "properties": {
      "type": {
        "type": "string",
        "enum": [
          "content_block_start"
        ]
      },
      "index": {
        "type": "integer"
      },
      "content_block": {
        "$ref": "contract#/$defs/MessageBlock"
      }
    }
  },
  "ContentBlockStopEvent": {
    "type": "object",
    "additionalProperties": true,
    "required": [
      "type",
      "index"
    ],
    "properties": {
      "type": {
        "type": "string",
        "enum": [
          "content_block_stop"
        ]
      },
      "index": {
        "type": "integer"
      }
    }
  },
  "ContentPartAddedEvent": {
    "type": "object",
    "additionalProperties": true,
    "required": [
      "type",
      "item_id",
      "output_index",
      "content_index",
      "part",
      "sequence_number"
    ],
    "properties": {
      "type": {
        "type": "string",
        "enum": [
          "response.content_part.added"
        ]
      },
      "item_id": {
        "type": "string"
      },
      "output_index": {
        "type": "integer"
      },
      "content_index": {
        "type": "integer"
      },
      "part": {
        "$ref": "contract#/$defs/ResponseOutputPart"
      },
      "sequence_number": {
        "type": "integer"
      }
    }
  },
  "ContentPartDoneEvent": {
    "type": "object",
    "additionalProperties": true,
    "required": [
      "type",
      "item_id",
      "output_index",
      "content_index",
      "part",
      "sequence_number"
    ],
    "properties": {
      "type": {
        "type": "string",
        "enum": [
          "response.content_part.done"
        ]
      },
      "item_id": {
        "type": "string"
      },
      "output_index": {
        "type": "integer"
      },
      "content_index": {
        "type": "integer"
      },
      "part": {
        "$ref": "contract#/$defs/ResponseOutputPart"
      },
      "sequence_number": {
        "type": "integer"
      }
    }
  },
  "Costs": {
    "type": "object",
    "required": [
      "cost",
      "total",
      "by_operation",
      "by_key",
      "by_price"
    ],
    "properties": {
      "cost": {
        "type": "number"
      },
      "total": {
        "type": "number",
        "deprecated": true
      },
      "by_operation": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/OperationUsage"
        }
      },
      "by_key": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/KeyCost"
        }
      },
      "by_price": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/PriceCost"
        }
      }
    }
  },
  "CountMessageTokensRequest": {
    "type": "object",
    "maxProperties": 200,
    "additionalProperties": true,
    "required": [
      "model",
      "messages"
    ],
    "properties": {
      "model": {
        "type": "string",
        "minLength": 1,
        "maxLength": 200
      },
      "messages": {
        "type": "array",
        "minItems": 1,
        "maxItems": 100000,
        "items": {
          "$ref": "contract#/$defs/InputMessage"
        }
      },
      "system": {
        "$ref": "contract#/$defs/SystemPrompt"
      },
      "thinking": {
        "$ref": "contract#/$defs/ThinkingConfiguration"
      },
      "tools": {
        "type": [
          "array",
          "null"
        ],
        "maxItems": 2000,
        "items": {
          "$ref": "contract#/$defs/MessageTool"
        }
      },
      "tool_choice": {
        "$ref": "contract#/$defs/MessageToolChoice"
      }
    }
  },
  "CreateAgentRequest": {
    "type": "object",
    "additionalProperties": false,
    "required": [
      "name"
    ],
    "properties": {
      "name": {
        "type": "string",
        "minLength": 1,
        "maxLength": 200
      },
      "system_prompt": {
        "$ref": "contract#/$defs/AgentSystemPrompt"
      },
      "model": {
        "$ref": "contract#/$defs/AgentModel"
      },
      "temperature": {
        "$ref": "contract#/$defs/AgentTemperature"
      },
      "max_tokens": {
        "$ref": "contract#/$defs/AgentMaxTokens"
      },
      "tools": {
        "$ref": "contract#/$defs/AgentTools"
      },
      "memory": {
        "$ref": "contract#/$defs/AgentMemory"
      },
      "metadata": {
        "$ref": "contract#/$defs/AgentMetadata"
      }
    }
  },
  "CreateChatCompletionRequest": {
    "type": "object",
    "maxProperties": 200,
    "additionalProperties": true,
    "required": [
      "model",
      "messages"
    ],
    "properties": {
      "model": {
        "type": "string",
        "minLength": 1,
        "maxLength": 200
      },
      "messages": {
        "type": "array",
        "minItems": 1,
        "maxItems": 30000,
        "items": {
          "$ref": "contract#/$defs/ChatMessage"
        }
      },
      "max_tokens": {
        "$ref": "contract#/$defs/OutputTokensMax"
      },
      "max_completion_tokens": {
        "$ref": "contract#/$defs/OutputTokensMax"
      },
      "temperature": {
        "type": [
          "number",
          "null"
        ],
        "minimum": 0,
        "maximum": 2
      },
      "top_p": {
        "type": [
          "number",
          "null"
        ],
        "minimum": 0,
        "maximum": 1
      },
      "n": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 1,
        "maximum": 128
      },
      "stop": {
        "$ref": "contract#/$defs/StopSequences"
      },
      "stream": {
        "type": [
          "boolean",
          "null"
        ]
      },
      "stream_options": {
        "type": [
          "object",
          "null"
        ],
        "maxProperties": 20,
        "additionalProperties": true
      },
      "presence_penalty": {
        "type": [
          "number",
          "null"
        ],
        "minimum": -2,
        "maximum": 2
      },
      "frequency_penalty": {
        "type": [
          "number",
          "null"
        ],
        "minimum": -2,
        "maximum": 2
      },
      "logit_bias": {
        "type": [
          "object",
          "null"
        ],
        "maxProperties": 2048,
        "additionalProperties": true
      },
      "logprobs": {
        "type": [
          "boolean",
          "null"
        ]
      },
      "top_logprobs": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 0,
        "maximum": 20
      },
      "response_format": {
        "$ref": "contract#/$defs/ResponseFormat"
      },
      "tools": {
        "type": [
          "array",
          "null"
        ],
        "maxItems": 128,
        "items": {
          "type": "object",
          "maxProperties": 200,
          "additionalProperties": true
        }
      },
      "seed": {
        "type": [
          "integer",
          "null"
        ]
      },
      "user": {
        "type": [
          "string",
          "null"
        ]
      },
      "allow_degraded": {
        "$ref": "contract#/$defs/AllowDegraded"
      }
    }
  },
  "CreateCompletionRequest": {
    "type": "object",
    "maxProperties": 200,
    "additionalProperties": true,
    "required": [
      "model",
      "prompt"
    ],
    "properties": {
      "model": {
        "type": "string",
        "minLength": 1,
        "maxLength": 200
      },
      "prompt": {
        "type": [
          "string",
          "array"
        ],
        "minItems": 1,
        "maxItems": 300000,
        "items": {
          "$ref": "contract#/$defs/PromptPart"
        }
      },
      "suffix": {
        "type": [
          "string",
          "null"
        ]
      },
      "max_tokens": {
        "$ref": "contract#/$defs/OutputTokensMax"
      },
      "max_completion_tokens": {
        "$ref": "contract#/$defs/OutputTokensMax"
      },
      "temperature": {
        "type": [
          "number",
          "null"
        ],
        "minimum": 0,
        "maximum": 2
      },
      "top_p": {
        "type": [
          "number",
          "null"
        ],
        "minimum": 0,
        "maximum": 1
      },
      "n": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 1,
        "maximum": 128
      },
      "best_of": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 1,
        "maximum": 128
      },
      "echo": {
        "type": [
          "boolean",
          "null"
        ]
      },
      "stop": {
        "$ref": "contract#/$defs/StopSequences"
      },
      "stream": {
        "type": [
          "boolean",
          "null"
        ]
      },
      "stream_options": {
        "type": [
          "object",
          "null"
        ],
        "maxProperties": 20,
        "additionalProperties": true
      },
      "presence_penalty": {
        "type": [
          "number",
          "null"
        ],
        "minimum": -2,
        "maximum": 2
      },
      "frequency_penalty": {
        "type": [
          "number",
          "null"
        ],
        "minimum": -2,
        "maximum": 2
      },
      "logit_bias": {
        "type": [
          "object",
          "null"
        ],
        "maxProperties": 2048,
        "additionalProperties": true
      },
      "logprobs": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 0,
        "maximum": 5
      },
      "seed": {
        "type": [
          "integer",
          "null"
        ]
      },
      "user": {
        "type": [
          "string",
          "null"
        ]
      },
      "allow_degraded": {
        "$ref": "contract#/$defs/AllowDegraded"
      }
    }
  },
  "CreateEmbeddingRequest": {
    "type": "object",
    "maxProperties": 200,
    "additionalProperties": true,
    "required": [
      "model",
      "input"
    ],
    "properties": {
      "model": {
        "type": "string",
        "minLength": 1,
        "maxLength": 200
      },
      "input": {
        "type": [
          "string",
          "array"
        ],
        "minLength": 1,
        "minItems": 1,
        "maxItems": 300000,
        "items": {
          "$ref": "contract#/$defs/EmbeddingInput"
        }
      },
      "encoding_format": {
        "type": [
          "string",
          "null"
        ],
        "enum": [
          "float",
          "base64",
          null
        ]
      },
      "dimensions": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 1,
        "maximum": 8192
      },
      "user": {
        "type": [
          "string",
          "null"
        ]
      },
      "allow_degraded": {
        "$ref": "contract#/$defs/AllowDegraded"
      }
    }
  },
  "CreateKeyRequest": {
    "type": "object",
    "additionalProperties": false,
    "required": [
      "name"
    ],
    "properties": {
      "name": {
        "type": "string",
        "minLength": 1,
        "maxLength": 100
      },
      "expires_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-or-date-time"
      },
      "limits": {
        "$ref": "contract#/$defs/SpendingLimitsRequest"
      }
    }
  },
  "CreateMemoryBatchRequest": {
    "type": "object",
    "additionalProperties": false,
    "required": [
      "items"
    ],
    "properties": {
      "items": {
        "type": "array",
        "minItems": 1,
        "maxItems": 100,
        "items": {
          "$ref": "contract#/$defs/CreateMemoryRequest"
        }
      }
    }
  },
  "CreateMemoryRequest": {
    "type": "object",
    "additionalProperties": false,
    "required": [
      "key",
      "value"
    ],
    "properties": {
      "key": {
        "type": "string",
        "minLength": 1,
        "maxLength": 255
      },
      "value": {
        "type": "string",
        "minLength": 1,
        "maxLength": 400000
      },
      "metadata": {
        "type": "object",
        "maxProperties": 200,
        "additionalProperties": true
      },
      "namespace": {
        "type": "string",
        "minLength": 1,
        "maxLength": 100,
        "default": "default"
      },
      "ttl_seconds": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 1,
        "maximum": 31536000
      }
    }
  },
  "CreateMessageRequest": {
    "type": "object",
    "maxProperties": 200,
    "additionalProperties": true,
    "required": [
      "model",
      "messages",
      "max_tokens"
    ],
    "properties": {
      "model": {
        "type": "string",
        "minLength": 1,
        "maxLength": 200
      },
      "messages": {
        "type": "array",
        "minItems": 1,
        "maxItems": 100000,
        "items": {
          "$ref": "contract#/$defs/InputMessage"
        }
      },
      "max_tokens": {
        "type": "integer",
        "minimum": 1,
        "maximum": 1000000
      },
      "system": {
        "$ref": "contract#/$defs/SystemPrompt"
      },
      "temperature": {
        "type": [
          "number",
          "null"
        ],
        "minimum": 0,
        "maximum": 2
      },
      "top_p": {
        "type": [
          "number",
          "null"
        ],
        "minimum": 0,
        "maximum": 1
      },
      "top_k": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 0
      },
      "stop_sequences": {
        "type": [
          "array",
          "null"
        ],
        "maxItems": 1000,
        "items": {
          "type": "string",
          "minLength": 1,
          "maxLength": 1000
        }
      },
      "stream": {
        "type": [
          "boolean",
          "null"
        ]
      },
      "thinking": {
        "$ref": "contract#/$defs/ThinkingConfiguration"
      },
      "tools": {
        "type": [
          "array",
          "null"
        ],
        "maxItems": 2000,
        "items": {
          "$ref": "contract#/$defs/MessageTool"
        }
      },
      "tool_choice": {
        "$ref": "contract#/$defs/MessageToolChoice"
      },
      "metadata": {
        "type": [
          "object",
          "null"
        ],
        "maxProperties": 100,
        "additionalProperties": true
      },
      "service_tier": {
        "type": [
          "string",
          "null"
        ],
        "enum": [
          "auto",
          "standard_only",
          null
        ]
      },
      "output_config": {
        "$ref": "contract#/$defs/MessageOutputConfiguration"
      },
      "allow_degraded": {
        "$ref": "contract#/$defs/AllowDegraded"
      }
    }
  },
  "CreatePaymentRequest": {
    "type": "object",
    "additionalProperties": false,
    "required": [
      "amount_usd",
      "currency"
    ],
    "properties": {
      "amount_usd": {
        "type": "number",
        "exclusiveMinimum": 0,
        "maximum": 1000000
      },
      "currency": {
        "$ref": "contract#/$defs/PaymentCurrency"
      }
    }
  },
  "CreatePlaygroundKeyRequest": {
    "type": "object",
    "additionalProperties": false,
    "properties": {
      "cap_usd": {
        "type": "number",
        "exclusiveMinimum": 0,
        "maximum": 10,
        "default": 1
      },
      "expires_in_minutes": {
        "type": "integer",
        "minimum": 1,
        "maximum": 60,
        "default": 15
      }
    }
  },
  "CreateResponseRequest": {
    "type": "object",
    "maxProperties": 200,
    "additionalProperties": true,
    "required": [
      "model",
      "input"
    ],
    "properties": {
      "model": {
        "type": "string",
        "minLength": 1,
        "maxLength": 200
      },
      "input": {
        "oneOf": [
          {
            "type": "string"
          },
          {
            "type": "array",
            "minItems": 1,
            "maxItems": 30000,
            "items": {
              "$ref": "contract#/$defs/ResponseInputItem"
            }
          }
        ]
      },
      "instructions": {
        "type": [
          "string",
          "null"
        ]
      },
      "max_output_tokens": {
        "$ref": "contract#/$defs/OutputTokensMax"
      },
      "temperature": {
        "type": [
          "number",
          "null"
        ],
        "minimum": 0,
        "maximum": 2
      },
      "top_p": {
        "type": [
          "number",
          "null"
        ],
        "minimum": 0,
        "maximum": 1
      },
      "top_logprobs": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 0,
        "maximum": 20
      },
      "tools": {
        "type": [
          "array",
          "null"
        ],
        "maxItems": 128,
        "items": {
          "type": "object",
          "maxProperties": 200,
          "additionalProperties": true
        }
      },
      "tool_choice": {
        "oneOf": [
          {
            "type": "string",
            "maxLength": 50
          },
          {
            "type": "object",
            "maxProperties": 200,
            "additionalProperties": true
          },
          {
            "type": "null"
          }
        ]
      },
      "parallel_tool_calls": {
        "type": [
          "boolean",
          "null"
        ]
      },
      "text": {
        "$ref": "contract#/$defs/ResponseText"
      },
      "reasoning": {
        "$ref": "contract#/$defs/ResponseReasoning"
      },
      "include": {
        "type": [
          "array",
          "null"
        ],
        "maxItems": 50,
        "items": {
          "type": "string",
          "maxLength": 100
        }
      },
      "truncation": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 50
      },
      "metadata": {
        "type": [
          "object",
          "null"
        ],
        "maxProperties": 100,
        "additionalProperties": true
      },
      "user": {
        "type": [
          "string",
          "null"
        ]
      },
      "stream": {
        "type": [
          "boolean",
          "null"
        ]
      },
      "store": {
        "type": [
          "boolean",
          "null"
        ]
      },
      "background": {
        "type": [
          "boolean",
          "null"
        ]
      },
      "previous_response_id": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 200
      },
      "conversation": {
        "oneOf": [
          {
            "type": "string",
            "maxLength": 200
          },
          {
            "type": "object",
            "maxProperties": 200,
            "additionalProperties": true
          },
          {
            "type": "null"
          }
        ]
      },
      "allow_degraded": {
        "$ref": "contract#/$defs/AllowDegraded"
      }
    }
  },
  "CreateWebhookRequest": {
    "type": "object",
    "additionalProperties": false,
    "required": [
      "url",
      "events"
    ],
    "properties": {
      "url": {
        "type": "string",
        "minLength": 1,
        "maxLength": 2048
      },
      "events": {
        "type": "array",
        "minItems": 1,
        "maxItems": 15,
        "uniqueItems": true,
        "items": {
          "$ref": "contract#/$defs/WebhookSubscription"
        }
      },
      "description": {
        "type": "string",
        "maxLength": 500
      },
      "secret": {
        "type": "string",
        "minLength": 16,
        "maxLength": 128,
        "pattern": "^[ -~]*$",
        "x-fault": "must have printable ASCII characters only"
      }
    }
  },
  "CreativeForm": {
    "type": "string",
    "enum": [
      "poem",
      "haiku",
      "limerick",
      "sonnet",
      "lyrics",
      "dialogue",
      "monologue",
      "scene",
      "slogan",
      "blurb"
    ]
  },
  "CreativeIdea": {
    "type": "object",
    "required": [
      "title",
      "angle",
      "technique"
    ],
    "properties": {
      "title": {
        "type": "string"
      },
      "angle": {
        "type": "string"
      },
      "technique": {
        "type": "string",
        "enum": [
          "substitute",
          "combine",
          "adapt",
          "modify",
          "put_to_another_use",
          "eliminate",
          "reverse"
        ]
      }
    }
  },
  "CreativePart": {
    "type": "object",
    "required": [
      "title",
      "lines"
    ],
    "properties": {
      "title": {
        "type": "string"
      },
      "lines": {
        "type": "array",
        "items": {
          "type": "string"
        }
      }
    }
  },
  "CreativeText": {
    "type": "object",
    "required": [
      "form",
      "kind",
      "title",
      "text",
      "parts",
      "model",
      "truncated",
      "usage"
    ],
    "properties": {
      "form": {
        "$ref": "contract#/$defs/CreativeForm"
      },
      "kind": {
        "type": "string",
        "enum": [
          "text"
        ],
        "deprecated": true
      },
      "title": {
        "type": "string"
      },
      "text": {
        "type": "string"
      },
      "parts": {
        "type": "array",
        "deprecated": true,
        "items": {
          "$ref": "contract#/$defs/CreativePart"
        }
      },
      "model": {
        "$ref": "contract#/$defs/AnsweredBy"
      },
      "truncated": {
        "$ref": "contract#/$defs/AnswerTruncated"
      },
      "usage": {
        "$ref": "contract#/$defs/AnswerUsage"
      }
    }
  },
  "CreativeTextResponse": {
    "type": "object",
    "required": [
      "data",
      "metadata"
    ],
    "properties": {
      "data": {
        "$ref": "contract#/$defs/CreativeText"
      },
      "metadata": {
        "$ref": "contract#/$defs/ResponseMetadata"
      }
    }
  },
  "CustomRateLimits": {
    "type": [
      "object",
      "null"
    ],
    "required": [
      "requests_per_second",
      "requests_per_minute",
      "requests_per_hour",
      "requests_per_day"
    ],
    "properties": {
      "requests_per_second": {
        "type": [
          "number",
          "null"
        ]
      },
      "requests_per_minute": {
        "type": [
          "number",
          "null"
        ]
      },
      "requests_per_hour": {
        "type": [
          "number",
          "null"
        ]
      },
      "requests_per_day": {
        "type": [
          "number",
          "null"
        ]
      }
    }
  },
  "CustomRateLimitsRequest": {
    "type": [
      "object",
      "null"
    ],
    "additionalProperties": false,
    "minProperties": 1,
    "properties": {
      "requests_per_second": {
        "type": [
          "number",
          "null"
        ],
        "minimum": 0.001,
        "maximum": 1000000000
      },
      "requests_per_minute": {
        "type": [
          "number",
          "null"
        ],
        "minimum": 0.001,
        "maximum": 1000000000
      },
      "requests_per_hour": {
        "type": [
          "number",
          "null"
        ],
        "minimum": 0.001,
        "maximum": 1000000000
      },
      "requests_per_day": {
        "type": [
          "number",
          "null"
        ],
        "minimum": 0.001,
        "maximum": 1000000000
      }
    }
  },
  "DailyUsage": {
    "type": "object",
    "required": [
      "date",
      "requests",
      "tokens",
      "cost"
    ],
    "properties": {
      "date": {
        "type": "string",
        "format": "date-time"
      },
      "requests": {
        "type": "integer"
      },
      "tokens": {
        "type": "integer"
      },
      "cost": {
        "type": "number"
      }
    }
  },
  "DayOfMoney": {
    "type": "object",
    "required": [
      "date",
      "deposited",
      "charged",
      "granted",
      "adjusted",
      "requests",
      "tokens",
      "active_accounts"
    ],
    "properties": {
      "date": {
        "type": "string",
        "format": "date-time"
      },
      "deposited": {
        "type": "number"
      },
      "charged": {
        "type": "number"
      },
      "granted": {
        "type": "number"
      },
      "adjusted": {
        "type": "number"
      },
      "requests": {
        "type": "integer"
      },
      "tokens": {
        "type": "integer"
      },
      "active_accounts": {
        "type": "integer"
      }
    }
  },
  "DeliveryAttempt": {
    "type": "object",
    "required": [
      "attempted_at",
      "duration_ms",
      "response_status",
      "response_body",
      "error_message"
    ],
    "properties": {
      "attempted_at": {
        "type": "string",
        "format": "date-time"
      },
      "duration_ms": {
        "type": "number"
      },
      "response_status": {
        "type": [
          "integer",
          "null"
        ]
      },
      "response_body": {
        "type": [
          "string",
          "null"
        ]
      },
      "error_message": {
        "type": [
          "string",
          "null"
        ]
      }
    }
  },
  "DeliveryList": {
    "type": "object",
    "required": [
      "deliveries",
      "total",
      "limit",
      "offset"
    ],
    "properties": {
      "deliveries": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/WebhookDelivery"
        }
      },
      "total": {
        "type": "integer"
      },
      "limit": {
        "type": "integer"
      },
      "offset": {
        "type": "integer"
      }
    }
  },
  "DeliveryRequest": {
    "type": [
      "object",
      "null"
    ],
    "required": [
      "headers",
      "body"
    ],
    "properties": {
      "headers": {
        "type": "object",
        "additionalProperties": {
          "type": "string"
        }
      },
      "body": {
        "type": "string"
      }
    }
  },
  "DocsAnchor": {
    "type": "object",
    "required": [
      "title",
      "level",
      "anchor"
    ],
    "properties": {
      "title": {
        "type": "string"
      },
      "level": {
        "type": "integer"
      },
      "anchor": {
        "type": "string"
      }
    }
  },
  "DocsHeading": {
    "type": "object",
    "required": [
      "title",
      "level",
      "anchor",
      "start",
      "end",
      "children"
    ],
    "properties": {
      "title": {
        "type": "string"
      },
      "level": {
        "type": "integer",
        "minimum": 1,
        "maximum": 6
      },
      "anchor": {
        "type": "string"
      },
      "start": {
        "type": "integer"
      },
      "end": {
        "type": "integer"
      },
      "children": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/DocsHeading"
        }
      }
    }
  },
  "DocsImprovement": {
    "type": "object",
    "required": [
      "suggestions",
      "more_suggestions",
      "lint",
      "more_lint",
      "model",
      "truncated",
      "dropped",
      "usage"
    ],
    "properties": {
      "suggestions": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/TextSuggestion"
        }
      },
      "more_suggestions": {
        "type": "integer"
      },
      "lint": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/DocsLint"
        }
      },
      "more_lint": {
        "type": "integer"
      },
      "model": {
        "$ref": "contract#/$defs/AnsweredBy"
      },
      "truncated": {
        "$ref": "contract#/$defs/AnswerTruncated"
      },
      "dropped": {
        "$ref": "contract#/$defs/AnswerDropped"
      },
      "usage": {
        "$ref": "contract#/$defs/AnswerUsage"
      }
    }
  },
  "DocsImprovementResponse": {
    "type": "object",
    "required": [
      "data",
      "metadata"
    ],
    "properties": {
      "data": {
        "$ref": "contract#/$defs/DocsImprovement"
      },
      "metadata": {
        "$ref": "contract#/$defs/ResponseMetadata"
      }
    }
  },
  "DocsKind": {
    "type": "string",
    "enum": [
      "readme",
      "api",
      "guide",
      "changelog"
    ]
  },
  "DocsLint": {
    "type": "object",
    "required": [
      "rule",
      "line",
      "message",
      "start",
      "end"
    ],
    "properties": {
      "rule": {
        "type": "string",
        "enum": [
          "heading_level_skipped",
          "several_titles",
          "duplicate_heading",
          "bare_url",
          "empty_link",
          "missing_alt_text",
          "broken_anchor",
          "trailing_spaces",
          "fence_without_language",
          "fence_not_closed",
          "long_line",
          "long_sentence",
          "unfinished",
          "list_markers_differ",
          "list_number_skipped"
        ]
      },
      "line": {
        "type": "integer"
      },
      "message": {
        "type": "string"
      },
      "start": {
        "type": "integer"
      },
      "end": {
        "type": "integer"
      }
    }
  },
  "DocsNumberingGap": {
    "type": "object",
    "required": [
      "title",
      "number",
      "expected",
      "start",
      "end"
    ],
    "properties": {
      "title": {
        "type": "string"
      },
      "number": {
        "type": "string"
      },
      "expected": {
        "type": "string"
      },
      "start": {
        "type": "integer"
      },
      "end": {
        "type": "integer"
      }
    }
  },
  "DocsSection": {
    "type": "object",
    "required": [
      "title",
      "level",
      "text"
    ],
    "properties": {
      "title": {
        "type": "string"
      },
      "level": {
        "type": "integer"
      },
      "text": {
        "type": "string"
      }
    }
  },
  "DocsStructure": {
    "type": "object",
    "required": [
      "outline",
      "table_of_contents",
      "anchors",
      "numbering_gaps",
      "more",
      "model",
      "usage"
    ],
    "properties": {
      "outline": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/DocsHeading"
        }
      },
      "table_of_contents": {
        "type": "string"
      },
      "anchors": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/DocsAnchor"
        }
      },
      "numbering_gaps": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/DocsNumberingGap"
        }
      },
      "more": {
        "type": "integer"
      },
      "model": {
        "$ref": "contract#/$defs/AnsweredBy"
      },
      "usage": {
        "$ref": "contract#/$defs/AnswerUsage"
      }
    }
  },
  "DocsStructureResponse": {
    "type": "object",
    "required": [
      "data",
      "metadata"
    ],
    "properties": {
      "data": {
        "$ref": "contract#/$defs/DocsStructure"
      },
      "metadata": {
        "$ref": "contract#/$defs/ResponseMetadata"
      }
    }
  },
  "DocumentAmount": {
    "type": "object",
    "required": [
      "text",
      "start",
      "end",
      "amount",
      "currency"
    ],
    "properties": {
      "text": {
        "type": "string"
      },
      "start": {
        "type": "integer"
      },
      "end": {
        "type": "integer"
      },
      "amount": {
        "type": "string"
      },
      "currency": {
        "type": [
          "string",
          "null"
        ]
      }
    }
  },
  "DocumentDate": {
    "type": "object",
    "required": [
      "text",
      "start",
      "end",
      "date"
    ],
    "properties": {
      "text": {
        "type": "string"
      },
      "start": {
        "type": "integer"
      },
      "end": {
        "type": "integer"
      },
      "date": {
        "type": [
          "string",
          "null"
        ]
      }
    }
  },
  "DocumentEntity": {
    "type": "object",
    "required": [
      "type",
      "text",
      "start",
      "end",
      "value"
    ],
    "properties": {
      "type": {
        "type": "string",
        "enum": [
          "person",
          "organization",
          "location",
          "date",
          "time",
          "duration",
          "money",
          "percentage",
          "email",
          "url",
          "phone",
          "identifier"
        ]
      },
      "text": {
        "type": "string"
      },
      "start": {
        "type": "integer"
      },
      "end": {
        "type": "integer"
      },
      "value": {
        "type": [
          "string",
          "null"
        ]
      }
    }
  },
  "DocumentExtract": {
    "type": "object",
    "required": [
      "document_id",
      "what",
      "entities",
      "tables",
      "key_values",
      "dates",
      "amounts",
      "value",
      "truncated",
      "model",
      "usage"
    ],
    "properties": {
      "document_id": {
        "type": "string",
        "format": "uuid"
      },
      "what": {
        "type": [
          "string",
          "null"
        ],
        "enum": [
          "entities",
          "tables",
          "key_values",
          "dates",
          "amounts",
          null
        ]
      },
      "entities": {
        "type": [
          "array",
          "null"
        ],
        "items": {
          "$ref": "contract#/$defs/DocumentEntity"
        }
      },
      "tables": {
        "type": [
          "array",
          "null"
        ],
        "items": {
          "$ref": "contract#/$defs/DocumentTable"
        }
      },
      "key_values": {
        "type": [
          "array",
          "null"
        ],
        "items": {
          "$ref": "contract#/$defs/DocumentKeyValue"
        }
      },
      "dates": {
        "type": [
          "array",
          "null"
        ],
        "items": {
          "$ref": "contract#/$defs/DocumentDate"
        }
      },
      "amounts": {
        "type": [
          "array",
          "null"
        ],
        "items": {
          "$ref": "contract#/$defs/DocumentAmount"
        }
      },
      "value": {
        "type": [
          "object",
          "null"
        ],
        "additionalProperties": true
      },
      "truncated": {
        "type": "boolean"
      },
      "model": {
        "$ref": "contract#/$defs/AnsweredBy"
      },
      "usage": {
        "$ref": "contract#/$defs/AnswerUsage"
      }
    }
  },
  "DocumentExtractResponse": {
    "type": "object",
    "required": [
      "data",
      "metadata"
    ],
    "properties": {
      "data": {
        "$ref": "contract#/$defs/DocumentExtract"
      },
      "metadata": {
        "$ref": "contract#/$defs/ResponseMetadata"
      }
    }
  },
  "DocumentFileType": {
    "type": "string",
    "enum": [
      "txt",
      "md",
      "html",
      "csv",
      "json",
      "pdf",
      "docx",
      "png",
      "jpeg",
      "webp"
    ]
  },
  "DocumentKeyValue": {
    "type": "object",
    "required": [
      "key",
      "value",
      "start",
      "end"
    ],
    "properties": {
      "key": {
        "type": "string"
      },
      "value": {
        "type": "string"
      },
      "start": {
        "type": "integer"
      },
      "end": {
        "type": "integer"
      }
    }
  },
  "DocumentList": {
    "type": "object",
    "required": [
      "documents",
      "total",
      "limit",
      "offset",
      "truncated"
    ],
    "properties": {
      "documents": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/StoredDocument"
        }
      },
      "total": {
        "type": "integer"
      },
      "limit": {
        "type": "integer"
      },
      "offset": {
        "type": "integer"
      },
      "truncated": {
        "type": "boolean"
      }
    }
  },
  "DocumentListResponse": {
    "type": "object",
    "required": [
      "data",
      "metadata"
    ],
    "properties": {
      "data": {
        "$ref": "contract#/$defs/DocumentList"
      },
      "metadata": {
        "$ref": "contract#/$defs/ResponseMetadata"
      }
    }
  },
  "DocumentResponse": {
    "type": "object",
    "required": [
      "data",
      "metadata"
    ],
    "properties": {
      "data": {
        "$ref": "contract#/$defs/StoredDocument"
      },
      "metadata": {
        "$ref": "contract#/$defs/ResponseMetadata"
      }
    }
  },
  "DocumentStatus": {
    "type": "string",
    "enum": [
      "uploaded",
      "processing",
      "ready",
      "failed"
    ]
  },
  "DocumentTable": {
    "type": "object",
    "required": [
      "header",
      "rows"
    ],
    "properties": {
      "header": {
        "type": "array",
        "items": {
          "type": "string"
        }
      },
      "rows": {
        "type": "array",
        "items": {
          "type": "array",
          "items": {
            "type": "string"
          }
        }
      }
    }
  },
  "Embedding": {
    "type": "object",
    "maxProperties": 200,
    "additionalProperties": true,
    "required": [
      "object",
      "index",
      "embedding"
    ],
    "properties": {
      "object": {
        "type": "string",
        "enum": [
          "embedding"
        ]
      },
      "index": {
        "type": "integer"
      },
      "embedding": {
        "type": [
          "array",
          "string"
        ],
        "items": {
          "type": "number"
        }
      }
    }
  },
  "EmbeddingInput": {
    "type": [
      "string",
      "integer",
      "array"
    ],
    "minLength": 1,
    "minimum": 0,
    "minItems": 1,
    "maxItems": 300000,
    "items": {
      "type": "integer",
      "minimum": 0
    }
  },
  "EmbeddingList": {
    "type": "object",
    "maxProperties": 200,
    "additionalProperties": true,
    "required": [
      "object",
      "data",
      "model",
      "usage"
    ],
    "properties": {
      "object": {
        "type": "string",
        "enum": [
          "list"
        ]
      },
      "data": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/Embedding"
        }
      },
      "model": {
        "type": "string"
      },
      "usage": {
        "$ref": "contract#/$defs/EmbeddingUsage"
      }
    }
  },
  "EmbeddingUsage": {
    "type": "object",
    "maxProperties": 200,
    "additionalProperties": true,
    "required": [
      "prompt_tokens",
      "total_tokens"
    ],
    "properties": {
      "prompt_tokens": {
        "type": "integer"
      },
      "total_tokens": {
        "type": "integer"
      }
    }
  },
  "EnableWebhookRequest": {
    "type": "object",
    "additionalProperties": false,
    "properties": {
      "reason": {
        "type": "string",
        "minLength": 1,
        "maxLength": 500
      }
    }
  },
  "Engine": {
    "type": "object",
    "required": [
      "provider",
      "method",
      "quality"
    ],
    "properties": {
      "provider": {
        "type": "string"
      },
      "method": {
        "type": "string"
      },
      "quality": {
        "type": "string"
      },
      "prompt": {
        "type": "string"
      }
    }
  },
  "EnhanceCreativeRequest": {
    "type": "object",
    "additionalProperties": false,
    "properties": {
      "content": {
        "$ref": "contract#/$defs/SourceContent"
      },
      "document_id": {
        "$ref": "contract#/$defs/SourceDocumentId"
      },
      "goal": {
        "type": [
          "string",
          "null"
        ],
        "minLength": 1,
        "maxLength": 1000
      },
      "suggestions_max": {
        "type": "integer",
        "minimum": 1,
        "maximum": 200,
        "default": 50
      },
      "model": {
        "$ref": "contract#/$defs/AnsweringModel"
      },
      "max_tokens": {
        "$ref": "contract#/$defs/AnswerTokensMax"
      },
      "allow_degraded": {
        "$ref": "contract#/$defs/AllowDegraded"
      }
    }
  },
  "Enhancement": {
    "type": "object",
    "required": [
      "suggestions",
      "more",
      "model",
      "truncated",
      "dropped",
      "usage"
    ],
    "properties": {
      "suggestions": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/TextSuggestion"
        }
      },
      "more": {
        "type": "integer"
      },
      "model": {
        "$ref": "contract#/$defs/AnsweredBy"
      },
      "truncated": {
        "$ref": "contract#/$defs/AnswerTruncated"
      },
      "dropped": {
        "$ref": "contract#/$defs/AnswerDropped"
      },
      "usage": {
        "$ref": "contract#/$defs/AnswerUsage"
      }
    }
  },
  "EnhancementResponse": {
    "type": "object",
    "required": [
      "data",
      "metadata"
    ],
    "properties": {
      "data": {
        "$ref": "contract#/$defs/Enhancement"
      },
      "metadata": {
        "$ref": "contract#/$defs/ResponseMetadata"
      }
    }
  },
  "EntitiesResult": {
    "type": "object",
    "required": [
      "type",
      "entities"
    ],
    "properties": {
      "type": {
        "type": "string",
        "enum": [
          "entities"
        ]
      },
      "entities": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/FoundEntity"
        }
      }
    }
  },
  "EntityType": {
    "type": "string",
    "enum": [
      "person",
      "organization",
      "location",
      "date",
      "time",
      "duration",
      "money",
      "percentage",
      "email",
      "url",
      "phone",
      "identifier"
    ]
  },
  "EventType": {
    "type": "string",
    "enum": [
      "payment.created",
      "payment.confirming",
      "payment.confirmed",
      "payment.failed",
      "payment.expired",
      "balance.updated",
      "balance.low",
      "balance.depleted",
      "usage.limit_exceeded",
      "usage.threshold",
      "usage.spike",
      "anomaly.detected",
      "rate_limit.exceeded",
      "key.revoked"
    ]
  },
  "ExtractDocumentRequest": {
    "type": "object",
    "additionalProperties": false,
    "properties": {
      "what": {
        "type": [
          "string",
          "null"
        ],
        "enum": [
          "entities",
          "tables",
          "key_values",
          "dates",
          "amounts",
          null
        ]
      },
      "schema": {
        "type": [
          "object",
          "null"
        ],
        "maxProperties": 200,
        "additionalProperties": true
      },
      "model": {
        "$ref": "contract#/$defs/AnsweringModel"
      },
      "max_tokens": {
        "$ref": "contract#/$defs/AnswerTokensMax"
      },
      "allow_degraded": {
        "$ref": "contract#/$defs/AllowDegraded"
      }
    }
  },
  "ExtractLegalRequest": {
    "type": "object",
    "additionalProperties": false,
    "properties": {
      "content": {
        "$ref": "contract#/$defs/SourceContent"
      },
      "document_id": {
        "$ref": "contract#/$defs/SourceDocumentId"
      },
      "model": {
        "$ref": "contract#/$defs/AnsweringModel"
      },
      "max_tokens": {
        "$ref": "contract#/$defs/AnswerTokensMax"
      },
      "allow_degraded": {
        "$ref": "contract#/$defs/AllowDegraded"
      }
    }
  },
  "FilePart": {
    "type": "object",
    "maxProperties": 20,
    "additionalProperties": true,
    "required": [
      "type",
      "file"
    ],
    "properties": {
      "type": {
        "type": "string",
        "enum": [
          "file"
        ]
      },
      "file": {
        "$ref": "contract#/$defs/InlineFile"
      }
    }
  },
  "FoundEntity": {
    "type": "object",
    "required": [
      "type",
      "text",
      "start",
      "end",
      "value"
    ],
    "properties": {
      "type": {
        "$ref": "contract#/$defs/EntityType"
      },
      "text": {
        "type": "string"
      },
      "start": {
        "type": "integer"
      },
      "end": {
        "type": "integer"
      },
      "value": {
        "type": [
          "string",
          "null"
        ]
      }
    }
  },
  "FoundKeyValue": {
    "type": "object",
    "required": [
      "key",
      "value",
      "start",
      "end"
    ],
    "properties": {
      "key": {
        "type": "string"
      },
      "value": {
        "type": "string"
      },
      "start": {
        "type": "integer"
      },
      "end": {
        "type": "integer"
      }
    }
  },
  "FoundKeyword": {
    "type": "object",
    "required": [
      "text",
      "score",
      "count"
    ],
    "properties": {
      "text": {
        "type": "string"
      },
      "score": {
        "type": "number",
        "minimum": 0,
        "maximum": 1
      },
      "count": {
        "type": "integer"
      }
    }
  },
  "FoundTextTable": {
    "type": "object",
    "required": [
      "start",
      "end",
      "header",
      "rows"
    ],
    "properties": {
      "start": {
        "type": "integer"
      },
      "end": {
        "type": "integer"
      },
      "header": {
        "type": "array",
        "items": {
          "type": "string"
        }
      },
      "rows": {
        "type": "array",
        "items": {
          "type": "array",
          "items": {
            "type": "string"
          }
        }
      }
    }
  },
  "FunctionCallArgumentsDeltaEvent": {
    "type": "object",
    "additionalProperties": true,
    "required": [
      "type",
      "item_id",
      "output_index",
      "delta",
      "sequence_number"
    ],
    "properties": {
      "type": {
        "type": "string",
        "enum": [
          "response.function_call_arguments.delta"
        ]
      },
      "item_id": {
        "type": "string"
      },
      "output_index": {
        "type": "integer"
      },
      "delta": {
        "type": "string"
      },
      "sequence_number": {
        "type": "integer"
      }
    }
  },
  "FunctionCallArgumentsDoneEvent": {
    "type": "object",
    "additionalProperties": true,
    "required": [
      "type",
      "item_id",
      "output_index",
      "arguments",
      "sequence_number"
    ],
    "properties": {
      "type": {
        "type": "string",
        "enum": [
          "response.function_call_arguments.done"
        ]
      },
      "item_id": {
        "type": "string"
      },
      "output_index": {
        "type": "integer"
      },
      "name": {
        "type": "string"
      },
      "arguments": {
        "type": "string"
      },
      "sequence_number": {
        "type": "integer"
      }
    }
  },
  "FunctionCallDelta": {
    "type": "object",
    "additionalProperties": true,
    "properties": {
      "name": {
        "type": "string"
      },
      "arguments": {
        "type": "string"
      }
    }
  },
  "GenerateAdvancedRequest": {
    "type": "object",
    "additionalProperties": false,
    "properties": {
      "prompt": {
        "type": [
          "string",
          "null"
        ],
        "minLength": 1,
        "maxLength": 20000
      },
      "context": {
        "type": [
          "string",
          "null"
        ],
        "minLength": 1,
        "maxLength": 400000
      },
      "tone": {
        "type": [
          "string",
          "null"
        ],
        "enum": [
          "formal",
          "neutral",
          "informal",
          "friendly",
          "simple",
          null
        ]
      },
      "words_max": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 10,
        "maximum": 10000
      },
      "template": {
        "type": [
          "string",
          "null"
        ],
        "minLength": 1,
        "maxLength": 100000
      },
      "variables": {
        "type": "array",
        "maxItems": 200,
        "default": [],
        "items": {
          "$ref": "contract#/$defs/TemplateVariable"
        }
      },
      "model": {
        "$ref": "contract#/$defs/AnsweringModel"
      },
      "max_tokens": {
        "$ref": "contract#/$defs/AnswerTokensMax"
      },
      "allow_degraded": {
        "$ref": "contract#/$defs/AllowDegraded"
      }
    }
  },
  "GenerateCreativeRequest": {
    "type": "object",
    "additionalProperties": false,
    "required": [
      "form",
      "prompt"
    ],
    "properties": {
      "form": {
        "$ref": "contract#/$defs/CreativeForm"
      },
      "prompt": {
        "type": "string",
        "minLength": 1,
        "maxLength": 20000
      },
      "tone": {
        "type": [
          "string",
          "null"
        ],
        "minLength": 1,
        "maxLength": 100
      },
      "audience": {
        "type": [
          "string",
          "null"
        ],
        "minLength": 1,
        "maxLength": 200
      },
      "names": {
        "type": "array",
        "maxItems": 10,
        "items": {
          "type": "string",
          "minLength": 1,
          "maxLength": 100
        }
      },
      "length": {
        "type": "string",
        "enum": [
          "short",
          "medium",
          "long"
        ],
        "default": "medium"
      },
      "model": {
        "$ref": "contract#/$defs/AnsweringModel"
      },
      "max_tokens": {
        "$ref": "contract#/$defs/AnswerTokensMax"
      },
      "allow_degraded": {
        "$ref": "contract#/$defs/AllowDegraded"
      }
    }
  },
  "GenerateDocsRequest": {
    "type": "object",
    "additionalProperties": false,
    "required": [
      "kind"
    ],
    "properties": {
      "kind": {
        "$ref": "contract#/$defs/DocsKind"
      },
      "title": {
        "type": [
          "string",
          "null"
        ],
        "minLength": 1,
        "maxLength": 200
      },
      "brief": {
        "type": [
          "string",
          "null"
        ],
        "minLength": 1,
        "maxLength": 20000
      },
      "content": {
        "type": [
          "string",
          "null"
        ],
        "minLength": 1,
        "maxLength": 400000
      },
      "document_id": {
        "type": [
          "string",
          "null"
        ],
        "minLength": 1,
        "maxLength": 64
      },
      "version": {
        "type": [
          "string",
          "null"
        ],
        "minLength": 1,
        "maxLength": 60,
        "pattern": "^[0-9A-Za-z][0-9A-Za-z.+_-]*$",
        "x-fault": "must begin with a letter A to Z or a digit and go on with these or .+_-"
      },
      "model": {
        "$ref": "contract#/$defs/AnsweringModel"
      },
      "max_tokens": {
        "$ref": "contract#/$defs/AnswerTokensMax"
      },
      "allow_degraded": {
        "$ref": "contract#/$defs/AllowDegraded"
      }
    }
  },
  "GenerateFromInputsRequest": {
    "type": "object",
    "additionalProperties": false,
    "required": [
      "prompt"
    ],
    "properties": {
      "prompt": {
        "type": "string",
        "minLength": 1,
        "maxLength": 100000
      },
      "variables": {
        "type": "array",
        "maxItems": 50,
        "items": {
          "$ref": "contract#/$defs/OmmVariable"
        }
      },
      "inputs": {
        "type": "array",
        "maxItems": 10,
        "items": {
          "$ref": "contract#/$defs/OmmInput"
        }
      },
      "output_type": {
        "type": "string",
        "enum": [
          "text",
          "image",
          "audio"
        ],
        "default": "text"
      },
      "max_input_tokens": {
        "$ref": "contract#/$defs/OmmInputTokensMax",
        "default": 20000
      },
      "model": {
        "$ref": "contract#/$defs/AnsweringModel"
      },
      "max_tokens": {
        "$ref": "contract#/$defs/AnswerTokensMax"
      },
      "allow_degraded": {
        "$ref": "contract#/$defs/AllowDegraded"
      }
    }
  },
  "GenerateProfessionalRequest": {
    "type": "object",
    "additionalProperties": false,
    "required": [
      "kind",
      "brief"
    ],
    "properties": {
      "kind": {
        "type": "string",
        "enum": [
          "proposal",
          "report",
          "letter",
          "email",
          "memo",
          "meeting_minutes",
          "press_release",
          "job_posting"
        ]
      },
      "brief": {
        "type": "string",
        "minLength": 1,
        "maxLength": 20000
      },
      "audience": {
        "type": [
          "string",
          "null"
        ],
        "minLength": 1,
        "maxLength": 200
      },
      "tone": {
        "type": "string",
        "enum": [
          "formal",
          "neutral",
          "friendly"
        ],
        "default": "neutral"
      },
      "model": {
        "$ref": "contract#/$defs/AnsweringModel"
      },
      "max_tokens": {
        "$ref": "contract#/$defs/AnswerTokensMax"
      },
      "allow_degraded": {
        "$ref": "contract#/$defs/AllowDegraded"
      }
    }
  },
  "GenerateStoryRequest": {
    "type": "object",
    "additionalProperties": false,
    "required": [
      "prompt"
    ],
    "properties": {
      "prompt": {
        "type": "string",
        "minLength": 1,
        "maxLength": 20000
      },
      "genre": {
        "type": [
          "string",
          "null"
        ],
        "minLength": 1,
        "maxLength": 100
      },
      "characters": {
        "type": "array",
        "maxItems": 20,
        "items": {
          "$ref": "contract#/$defs/StoryCharacterInput"
        }
      },
      "length": {
        "$ref": "contract#/$defs/StoryLength",
        "default": "medium"
      },
      "tone": {
        "type": [
          "string",
          "null"
        ],
        "minLength": 1,
        "maxLength": 100
      },
      "model": {
        "$ref": "contract#/$defs/AgentModel"
      },
      "temperature": {
        "$ref": "contract#/$defs/AgentTemperature"
      },
      "max_tokens": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 1,
        "maximum": 32768
      },
      "stream": {
        "type": "boolean"
      },
      "allow_degraded": {
        "$ref": "contract#/$defs/AllowDegraded"
      }
    }
  },
  "GenerateWithAgentRequest": {
    "type": "object",
    "additionalProperties": false,
    "required": [
      "prompt"
    ],
    "properties": {
      "prompt": {
        "type": "string",
        "minLength": 1,
        "maxLength": 400000
      },
      "agent_id": {
        "$ref": "contract#/$defs/AgentReference"
      },
      "system_prompt": {
        "$ref": "contract#/$defs/AgentSystemPrompt"
      },
      "model": {
        "$ref": "contract#/$defs/AgentModel"
      },
      "temperature": {
        "$ref": "contract#/$defs/AgentTemperature"
      },
      "max_tokens": {
        "$ref": "contract#/$defs/AgentMaxTokens"
      },
      "allow_degraded": {
        "$ref": "contract#/$defs/AllowDegraded"
      }
    }
  },
  "GenerateWithRagRequest": {
    "type": "object",
    "additionalProperties": false,
    "required": [
      "query"
    ],
    "properties": {
      "query": {
        "type": "string",
        "minLength": 1,
        "maxLength": 10000
      },
      "top_k": {
        "type": "integer",
        "minimum": 1,
        "maximum": 50,
        "default": 5
      },
      "collection": {
        "$ref": "contract#/$defs/RagCollection"
      },
      "filter": {
        "$ref": "contract#/$defs/RagFilter"
      },
      "min_score": {
        "$ref": "contract#/$defs/RagMinScore"
      },
      "model": {
        "$ref": "contract#/$defs/AgentModel"
      },
      "temperature": {
        "$ref": "contract#/$defs/AgentTemperature"
      },
      "max_tokens": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 1,
        "maximum": 32768
      },
      "stream": {
        "type": "boolean"
      },
      "allow_degraded": {
        "$ref": "contract#/$defs/AllowDegraded"
      }
    }
  },
  "GeneratedContent": {
    "type": "object",
    "required": [
      "kind",
      "title",
      "text",
      "model",
      "truncated",
      "usage"
    ],
    "properties": {
      "kind": {
        "type": "string",
        "enum": [
          "written",
          "filled_template"
        ]
      },
      "title": {
        "type": [
          "string",
          "null"
        ]
      },
      "text": {
        "type": "string"
      },
      "model": {
        "$ref": "contract#/$defs/AnsweredBy"
      },
      "truncated": {
        "$ref": "contract#/$defs/AnswerTruncated"
      },
      "usage": {
        "$ref": "contract#/$defs/AnswerUsage"
      }
    }
  },
  "GeneratedContentResponse": {
    "type": "object",
    "required": [
      "data",
      "metadata"
    ],
    "properties": {
      "data": {
        "$ref": "contract#/$defs/GeneratedContent"
      },
      "metadata": {
        "$ref": "contract#/$defs/ResponseMetadata"
      }
    }
  },
  "GeneratedDocs": {
    "type": "object",
    "required": [
      "kind",
      "state",
      "title",
      "sections",
      "text",
      "to_fill_in",
      "omitted",
      "model",
      "truncated",
      "usage"
    ],
    "properties": {
      "kind": {
        "$ref": "contract#/$defs/DocsKind"
      },
      "state": {
        "type": "string",
        "enum": [
          "complete",
          "skeleton"
        ]
      },
      "title": {
        "type": "string"
      },
      "sections": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/DocsSection"
        }
      },
      "text": {
        "type": "string"
      },
      "to_fill_in": {
        "type": "array",
        "items": {
          "type": "string"
        }
      },
      "omitted": {
        "type": "array",
        "items": {
          "type": "string"
        }
      },
      "model": {
        "$ref": "contract#/$defs/AnsweredBy"
      },
      "truncated": {
        "$ref": "contract#/$defs/AnswerTruncated"
      },
      "usage": {
        "$ref": "contract#/$defs/AnswerUsage"
      }
    }
  },
  "GeneratedDocsResponse": {
    "type": "object",
    "required": [
      "data",
      "metadata"
    ],
    "properties": {
      "data": {
        "$ref": "contract#/$defs/GeneratedDocs"
      },
      "metadata": {
        "$ref": "contract#/$defs/ResponseMetadata"
      }
    }
  },
  "Health": {
    "type": "object",
    "required": [
      "status",
      "version",
      "timestamp"
    ],
    "properties": {
      "status": {
        "type": "string",
        "enum": [
          "ok"
        ]
      },
      "version": {
        "type": "string"
      },
      "timestamp": {
        "type": "string",
        "format": "date-time"
      }
    }
  },
  "ImageUrl": {
    "type": "object",
    "maxProperties": 20,
    "additionalProperties": true,
    "required": [
      "url"
    ],
    "properties": {
      "url": {
        "type": "string"
      },
      "detail": {
        "type": "string",
        "enum": [
          "auto",
          "low",
          "high"
        ]
      }
    }
  },
  "ImageUrlPart": {
    "type": "object",
    "maxProperties": 20,
    "additionalProperties": true,
    "required": [
      "type",
      "image_url"
    ],
    "properties": {
      "type": {
        "type": "string",
        "enum": [
          "image_url"
        ]
      },
      "image_url": {
        "$ref": "contract#/$defs/ImageUrl"
      }
    }
  },
  "ImproveDocsRequest": {
    "type": "object",
    "additionalProperties": false,
    "properties": {
      "content": {
        "$ref": "contract#/$defs/SourceContent"
      },
      "document_id": {
        "$ref": "contract#/$defs/SourceDocumentId"
      },
      "audience": {
        "type": [
          "string",
          "null"
        ],
        "minLength": 1,
        "maxLength": 200
      },
      "suggestions_max": {
        "type": "integer",
        "minimum": 1,
        "maximum": 200,
        "default": 50
      },
      "model": {
        "$ref": "contract#/$defs/AnsweringModel"
      },
      "max_tokens": {
        "$ref": "contract#/$defs/AnswerTokensMax"
      },
      "allow_degraded": {
        "$ref": "contract#/$defs/AllowDegraded"
      }
    }
  },
  "IndexRagDocumentRequest": {
    "type": "object",
    "additionalProperties": false,
    "required": [
      "content"
    ],
    "properties": {
      "content": {
        "type": "string",
        "minLength": 1,
        "maxLength": 400000
      },
      "metadata": {
        "type": "object",
        "maxProperties": 200,
        "additionalProperties": true
      },
      "collection": {
        "$ref": "contract#/$defs/RagCollection",
        "default": "default"
      },
      "document_id": {
        "$ref": "contract#/$defs/RagDocumentId"
      },
      "allow_degraded": {
        "$ref": "contract#/$defs/AllowDegraded"
      }
    }
  },
  "IndexSearchItemsRequest": {
    "type": "object",
    "additionalProperties": false,
    "required": [
      "items"
    ],
    "properties": {
      "items": {
        "type": "array",
        "minItems": 1,
        "maxItems": 100,
        "items": {
          "$ref": "contract#/$defs/SearchItemInput"
        }
      }
    }
  },
  "IndexedRagDocument": {
    "type": "object",
    "required": [
      "document_id",
      "collection",
      "chunks",
      "tokens",
      "deduplicated"
    ],
    "properties": {
      "document_id": {
        "type": "string"
      },
      "collection": {
        "type": "string"
      },
      "chunks": {
        "type": "integer"
      },
      "tokens": {
        "type": "integer"
      },
      "deduplicated": {
        "type": "boolean"
      }
    }
  },
  "IndexedRagDocumentResponse": {
    "type": "object",
    "required": [
      "data",
      "metadata"
    ],
    "properties": {
      "data": {
        "$ref": "contract#/$defs/IndexedRagDocument"
      },
      "metadata": {
        "$ref": "contract#/$defs/ResponseMetadata"
      }
    }
  },
  "IndexedSearchItem": {
    "type": "object",
    "required": [
      "id",
      "created"
    ],
    "properties": {
      "id": {
        "type": "string"
      },
      "created": {
        "type": "boolean"
      }
    }
  },
  "IndexedSearchItems": {
    "type": "object",
    "required": [
      "items",
      "count",
      "tokens"
    ],
    "properties": {
      "items": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/IndexedSearchItem"
        }
      },
      "count": {
        "type": "integer"
      },
      "tokens": {
        "type": "integer"
      }
    }
  },
  "IndexedSearchItemsResponse": {
    "type": "object",
    "required": [
      "data",
      "metadata"
    ],
    "properties": {
      "data": {
        "$ref": "contract#/$defs/IndexedSearchItems"
      },
      "metadata": {
        "$ref": "contract#/$defs/ResponseMetadata"
      }
    }
  },
  "InlineFile": {
    "type": "object",
    "maxProperties": 20,
    "additionalProperties": true,
    "properties": {
      "filename": {
        "type": "string",
        "maxLength": 1000
      },
      "file_data": {
        "type": "string"
      },
      "file_id": {
        "type": "string",
        "maxLength": 255
      }
    }
  },
  "InputAudio": {
    "type": "object",
    "maxProperties": 20,
    "additionalProperties": true,
    "required": [
      "data",
      "format"
    ],
    "properties": {
      "data": {
        "type": "string"
      },
      "format": {
        "type": "string",
        "maxLength": 50
      }
    }
  },
  "InputAudioPart": {
    "type": "object",
    "maxProperties": 20,
    "additionalProperties": true,
    "required": [
      "type",
      "input_audio"
    ],
    "properties": {
      "type": {
        "type": "string",
        "enum": [
          "input_audio"
        ]
      },
      "input_audio": {
        "$ref": "contract#/$defs/InputAudio"
      }
    }
  },
  "InputBlock": {
    "type": "object",
    "maxProperties": 50,
    "additionalProperties": true,
    "required": [
      "type"
    ],
    "properties": {
      "type": {
        "type": "string",
        "minLength": 1,
        "maxLength": 100
      },
      "text": {
        "type": "string",
        "maxLength": 33554432
      },
      "source": {
        "type": "object",
        "maxProperties": 50,
        "additionalProperties": true
      },
      "id": {
        "type": "string",
        "maxLength": 200
      },
      "name": {
        "type": "string",
        "maxLength": 200
      },
      "input": {
        "type": "object",
        "maxProperties": 10000,
        "additionalProperties": true
      },
      "tool_use_id": {
        "type": "string",
        "maxLength": 200
      }
    }
  },
  "InputFilePart": {
    "type": "object",
    "maxProperties": 20,
    "additionalProperties": true,
    "required": [
      "type"
    ],
    "properties": {
      "type": {
        "type": "string",
        "enum": [
          "input_file"
        ]
      },
      "filename": {
        "type": "string",
        "maxLength": 1000
      },
      "file_data": {
        "type": "string"
      }
    }
  },
  "InputImagePart": {
    "type": "object",
    "maxProperties": 20,
    "additionalProperties": true,
    "required": [
      "type"
    ],
    "properties": {
      "type": {
        "type": "string",
        "enum": [
          "input_image"
        ]
      },
      "image_url": {
        "type": "string"
      },
      "detail": {
        "type": "string",
        "enum": [
          "auto",
          "low",
          "high"
        ]
      }
    }
  },
  "InputMessage": {
    "type": "object",
    "maxProperties": 50,
    "additionalProperties": true,
    "required": [
      "role",
      "content"
    ],
    "properties": {
      "role": {
        "type": "string",
        "enum": [
          "user",
          "assistant",
          "system"
        ]
      },
      "content": {
        "oneOf": [
          {
            "type": "string",
            "maxLength": 33554432
          },
          {
            "type": "array",
            "maxItems": 100000,
            "items": {
              "$ref": "contract#/$defs/InputBlock"
            }
          }
        ]
      }
    }
  },
  "InputTextPart": {
    "type": "object",
    "maxProperties": 20,
    "additionalProperties": true,
    "required": [
      "type",
      "text"
    ],
    "properties": {
      "type": {
        "type": "string",
        "enum": [
          "input_text"
        ]
      },
      "text": {
        "type": "string"
      }
    }
  },
  "KeyCost": {
    "type": "object",
    "required": [
      "key_id",
      "name",
      "requests",
      "cost"
    ],
    "properties": {
      "key_id": {
        "type": [
          "string",
          "null"
        ],
        "format": "uuid"
      },
      "name": {
        "type": [
          "string",
          "null"
        ]
      },
      "requests": {
        "type": "integer"
      },
      "cost": {
        "type": "number"
      }
    }
  },
  "KeyRevokedData": {
    "type": "object",
    "required": [
      "user_id",
      "access_key_id",
      "name",
      "key_value_preview",
      "revoked_at"
    ],
    "properties": {
      "user_id": {
        "type": "string",
        "format": "uuid"
      },
      "access_key_id": {
        "type": "string",
        "format": "uuid"
      },
      "name": {
        "type": "string"
      },
      "key_value_preview": {
        "type": "string"
      },
      "revoked_at": {
        "type": "string",
        "format": "date-time"
      },
      "test": {
        "type": "boolean",
        "enum": [
          true
        ]
      }
    }
  },
  "KeyRevokedEvent": {
    "type": "object",
    "required": [
      "event_id",
      "event_type",
      "timestamp",
      "data",
      "signature"
    ],
    "properties": {
      "event_id": {
        "type": "string",
        "format": "uuid"
      },
      "event_type": {
        "type": "string",
        "enum": [
          "key.revoked"
        ]
      },
      "timestamp": {
        "type": "string",
        "format": "date-time"
      },
      "data": {
        "$ref": "contract#/$defs/KeyRevokedData"
      },
      "signature": {
        "type": "string"
      }
    }
  },
  "KeyValuesResult": {
    "type": "object",
    "required": [
      "type",
      "key_values"
    ],
    "properties": {
      "type": {
        "type": "string",
        "enum": [
          "key_values"
        ]
      },
      "key_values": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/FoundKeyValue"
        }
      }
    }
  },
  "KeywordsResult": {
    "type": "object",
    "required": [
      "type",
      "keywords"
    ],
    "properties": {
      "type": {
        "type": "string",
        "enum": [
          "keywords"
        ]
      },
      "keywords": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/FoundKeyword"
        }
      }
    }
  },
  "KnownChatContentPart": {
    "oneOf": [
      {
        "$ref": "contract#/$defs/TextPart"
      },
      {
        "$ref": "contract#/$defs/ImageUrlPart"
      },
      {
        "$ref": "contract#/$defs/InputAudioPart"
      },
      {
        "$ref": "contract#/$defs/FilePart"
      },
      {
        "$ref": "contract#/$defs/RefusalPart"
      }
    ]
  },
  "KnownResponseContentPart": {
    "oneOf": [
      {
        "$ref": "contract#/$defs/InputTextPart"
      },
      {
        "$ref": "contract#/$defs/InputImagePart"
      },
      {
        "$ref": "contract#/$defs/InputFilePart"
      },
      {
        "$ref": "contract#/$defs/InputAudioPart"
      },
      {
        "$ref": "contract#/$defs/OutputTextPart"
      },
      {
        "$ref": "contract#/$defs/RefusalPart"
      }
    ]
  },
  "LanguageResult": {
    "type": "object",
    "required": [
      "type",
      "language",
      "candidates"
    ],
    "properties": {
      "type": {
        "type": "string",
        "enum": [
          "language"
        ]
      },
      "language": {
        "type": [
          "string",
          "null"
        ]
      },
      "candidates": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/LanguageScore"
        }
      }
    }
  },
  "LanguageScore": {
    "type": "object",
    "required": [
      "language",
      "score"
    ],
    "properties": {
      "language": {
        "type": "string"
      },
      "score": {
        "type": "number",
        "minimum": 0,
        "maximum": 1
      }
    }
  },
  "LegalAmount": {
    "type": "object",
    "required": [
      "text",
      "start",
      "end",
      "amount",
      "currency"
    ],
    "properties": {
      "text": {
        "type": "string"
      },
      "start": {
        "type": "integer"
      },
      "end": {
        "type": "integer"
      },
      "amount": {
        "type": "string"
      },
      "currency": {
        "type": [
          "string",
          "null"
        ]
      }
    }
  },
  "LegalAnalysis": {
    "type": "object",
    "required": [
      "document_type",
      "parties",
      "clauses",
      "missing_clauses",
      "dates",
      "amounts",
      "governing_law",
      "disclaimer",
      "model",
      "truncated",
      "dropped",
      "usage"
    ],
    "properties": {
      "document_type": {
        "type": [
          "string",
          "null"
        ],
        "enum": [
          "non_disclosure_agreement",
          "employment_contract",
          "lease",
          "loan_agreement",
          "license_agreement",
          "purchase_agreement",
          "partnership_agreement",
          "data_processing_agreement",
          "service_agreement",
          "terms_of_service",
          "privacy_policy",
          "power_of_attorney",
          "will",
          "contract",
          null
        ]
      },
      "parties": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/LegalParty"
        }
      },
      "clauses": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/LegalClause"
        }
      },
      "missing_clauses": {
        "type": [
          "array",
          "null"
        ],
        "items": {
          "$ref": "contract#/$defs/LegalClauseType"
        }
      },
      "dates": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/LegalDate"
        }
      },
      "amounts": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/LegalAmount"
        }
      },
      "governing_law": {
        "$ref": "contract#/$defs/LegalGoverningLaw"
      },
      "disclaimer": {
        "$ref": "contract#/$defs/LegalDisclaimer"
      },
      "model": {
        "$ref": "contract#/$defs/AnsweredBy"
      },
      "truncated": {
        "$ref": "contract#/$defs/AnswerTruncated"
      },
      "dropped": {
        "$ref": "contract#/$defs/AnswerDropped"
      },
      "usage": {
        "$ref": "contract#/$defs/AnswerUsage"
      }
    }
  },
  "LegalAnalysisResponse": {
    "type": "object",
    "required": [
      "data",
      "metadata"
    ],
    "properties": {
      "data": {
        "$ref": "contract#/$defs/LegalAnalysis"
      },
      "metadata": {
        "$ref": "contract#/$defs/ResponseMetadata"
      }
    }
  },
  "LegalChange": {
    "type": "object",
    "required": [
      "kind",
      "before",
      "after",
      "before_start",
      "before_end",
      "after_start",
      "after_end"
    ],
    "properties": {
      "kind": {
        "type": "string",
        "enum": [
          "added",
          "removed",
          "changed"
        ]
      },
      "before": {
        "type": [
          "string",
          "null"
        ]
      },
      "after": {
        "type": [
          "string",
          "null"
        ]
      },
      "before_start": {
        "type": "integer"
      },
      "before_end": {
        "type": "integer"
      },
      "after_start": {
        "type": "integer"
      },
      "after_end": {
        "type": "integer"
      }
    }
  },
  "LegalClause": {
    "type": "object",
    "required": [
      "type",
      "heading",
      "start",
      "end",
      "risk",
      "explanation"
    ],
    "properties": {
      "type": {
        "$ref": "contract#/$defs/LegalClauseType"
      },
      "heading": {
        "type": [
          "string",
          "null"
        ]
      },
      "start": {
        "type": "integer"
      },
      "end": {
        "type": "integer"
      },
      "risk": {
        "type": [
          "string",
          "null"
        ],
        "enum": [
          "low",
          "medium",
          "high",
          null
        ]
      },
      "explanation": {
        "type": [
          "string",
          "null"
        ]
      }
    }
  },
  "LegalClauseType": {
    "type": "string",
    "enum": [
      "confidentiality",
      "data_protection",
      "intellectual_property",
      "indemnity",
      "liability",
      "insurance",
      "warranty",
      "non_compete",
      "non_solicitation",
      "force_majeure",
      "assignment",
      "dispute_resolution",
      "governing_law",
      "renewal",
      "probation",
      "termination",
      "notice",
      "entire_agreement",
      "amendment",
      "severability",
      "deposit",
      "subletting",
      "maintenance",
      "use_of_premises",
      "working_time",
      "leave",
      "payment",
      "term",
      "duties",
      "definitions",
      "other"
    ]
  },
  "LegalComparison": {
    "type": "object",
    "required": [
      "similarity",
      "changes",
      "summary",
      "disclaimer",
      "model",
      "truncated",
      "dropped",
      "usage"
    ],
    "properties": {
      "similarity": {
        "type": "number"
      },
      "changes": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/LegalChange"
        }
      },
      "summary": {
        "type": "string"
      },
      "disclaimer": {
        "$ref": "contract#/$defs/LegalDisclaimer"
      },
      "model": {
        "$ref": "contract#/$defs/AnsweredBy"
      },
      "truncated": {
        "$ref": "contract#/$defs/AnswerTruncated"
      },
      "dropped": {
        "$ref": "contract#/$defs/AnswerDropped"
      },
      "usage": {
        "$ref": "contract#/$defs/AnswerUsage"
      }
    }
  },
  "LegalComparisonResponse": {
    "type": "object",
    "required": [
      "data",
      "metadata"
    ],
    "properties": {
      "data": {
        "$ref": "contract#/$defs/LegalComparison"
      },
      "metadata": {
        "$ref": "contract#/$defs/ResponseMetadata"
      }
    }
  },
  "LegalDate": {
    "type": "object",
    "required": [
      "text",
      "start",
      "end",
      "date"
    ],
    "properties": {
      "text": {
        "type": "string"
      },
      "start": {
        "type": "integer"
      },
      "end": {
        "type": "integer"
      },
      "date": {
        "type": [
          "string",
          "null"
        ]
      }
    }
  },
  "LegalDefinition": {
    "type": "object",
    "required": [
      "term",
      "meaning",
      "start",
      "end"
    ],
    "properties": {
      "term": {
        "type": "string"
      },
      "meaning": {
        "type": "string"
      },
      "start": {
        "type": "integer"
      },
      "end": {
        "type": "integer"
      }
    }
  },
  "LegalDisclaimer": {
    "type": "string"
  },
  "LegalFacts": {
    "type": "object",
    "required": [
      "parties",
      "dates",
      "amounts",
      "obligations",
      "definitions",
      "disclaimer",
      "model",
      "truncated",
      "dropped",
      "usage"
    ],
    "properties": {
      "parties": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/LegalParty"
        }
      },
      "dates": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/LegalDate"
        }
      },
      "amounts": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/LegalAmount"
        }
      },
      "obligations": {
        "type": [
          "array",
          "null"
        ],
        "items": {
          "$ref": "contract#/$defs/LegalObligation"
        }
      },
      "definitions": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/LegalDefinition"
        }
      },
      "disclaimer": {
        "$ref": "contract#/$defs/LegalDisclaimer"
      },
      "model": {
        "$ref": "contract#/$defs/AnsweredBy"
      },
      "truncated": {
        "$ref": "contract#/$defs/AnswerTruncated"
      },
      "dropped": {
        "$ref": "contract#/$defs/AnswerDropped"
      },
      "usage": {
        "$ref": "contract#/$defs/AnswerUsage"
      }
    }
  },
  "LegalFactsResponse": {
    "type": "object",
    "required": [
      "data",
      "metadata"
    ],
    "properties": {
      "data": {
        "$ref": "contract#/$defs/LegalFacts"
      },
      "metadata": {
        "$ref": "contract#/$defs/ResponseMetadata"
      }
    }
  },
  "LegalGoverningLaw": {
    "type": [
      "object",
      "null"
    ],
    "required": [
      "law",
      "text",
      "start",
      "end"
    ],
    "properties": {
      "law": {
        "type": "string"
      },
      "text": {
        "type": "string"
      },
      "start": {
        "type": "integer"
      },
      "end": {
        "type": "integer"
      }
    }
  },
  "LegalObligation": {
    "type": "object",
    "required": [
      "party",
      "obligation",
      "deadline",
      "deadline_date",
      "start",
      "end"
    ],
    "properties": {
      "party": {
        "type": [
          "string",
          "null"
        ]
      },
      "obligation": {
        "type": "string"
      },
      "deadline": {
        "type": [
          "string",
          "null"
        ]
      },
      "deadline_date": {
        "type": [
          "string",
          "null"
        ]
      },
      "start": {
        "type": "integer"
      },
      "end": {
        "type": "integer"
      }
    }
  },
  "LegalParty": {
    "type": "object",
    "required": [
      "name",
      "role",
      "aliases",
      "start",
      "end"
    ],
    "properties": {
      "name": {
        "type": "string"
      },
      "role": {
        "type": [
          "string",
          "null"
        ]
      },
      "aliases": {
        "type": "array",
        "items": {
          "type": "string"
        }
      },
      "start": {
        "type": "integer"
      },
      "end": {
        "type": "integer"
      }
    }
  },
  "LegalSummary": {
    "type": "object",
    "required": [
      "text",
      "summary",
      "key_points",
      "disclaimer",
      "model",
      "truncated",
      "dropped",
      "usage"
    ],
    "properties": {
      "text": {
        "type": "string"
      },
      "summary": {
        "type": "string",
        "deprecated": true
      },
      "key_points": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/QuotedSentence"
        }
      },
      "disclaimer": {
        "$ref": "contract#/$defs/LegalDisclaimer"
      },
      "model": {
        "$ref": "contract#/$defs/AnsweredBy"
      },
      "truncated": {
        "$ref": "contract#/$defs/AnswerTruncated"
      },
      "dropped": {
        "$ref": "contract#/$defs/AnswerDropped"
      },
      "usage": {
        "$ref": "contract#/$defs/AnswerUsage"
      }
    }
  },
  "LegalSummaryResponse": {
    "type": "object",
    "required": [
      "data",
      "metadata"
    ],
    "properties": {
      "data": {
        "$ref": "contract#/$defs/LegalSummary"
      },
      "metadata": {
        "$ref": "contract#/$defs/ResponseMetadata"
      }
    }
  },
  "ListedSession": {
    "type": "object",
    "required": [
      "id",
      "is_current",
      "user_agent",
      "created_at",
      "expires_at"
    ],
    "properties": {
      "id": {
        "type": "string",
        "format": "uuid"
      },
      "is_current": {
        "type": "boolean"
      },
      "user_agent": {
        "type": "string"
      },
      "created_at": {
        "type": "string",
        "format": "date-time"
      },
      "expires_at": {
        "type": "string",
        "format": "date-time"
      }
    }
  },
  "LoginRequest": {
    "type": "object",
    "additionalProperties": false,
    "required": [
      "email",
      "password"
    ],
    "properties": {
      "email": {
        "type": "string",
        "format": "email",
        "maxLength": 254
      },
      "password": {
        "type": "string",
        "minLength": 1,
        "maxLength": 128
      }
    }
  },
  "Memory": {
    "type": "object",
    "required": [
      "id",
      "namespace",
      "key",
      "value",
      "metadata",
      "created_at",
      "updated_at",
      "expires_at"
    ],
    "properties": {
      "id": {
        "type": "string",
        "format": "uuid"
      },
      "namespace": {
        "type": "string"
      },
      "key": {
        "type": "string"
      },
      "value": {
        "type": "string"
      },
      "metadata": {
        "type": "object",
        "maxProperties": 200,
        "additionalProperties": true
      },
      "created_at": {
        "type": "string",
        "format": "date-time"
      },
      "updated_at": {
        "type": "string",
        "format": "date-time"
      },
      "expires_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time"
      }
    }
  },
  "MemoryBatch": {
    "type": "object",
    "required": [
      "memories",
      "count",
      "truncated"
    ],
    "properties": {
      "memories": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/Memory"
        }
      },
      "count": {
        "type": "integer"
      },
      "truncated": {
        "type": "boolean"
      }
    }
  },
  "MemoryBatchResponse": {
    "type": "object",
    "required": [
      "data",
      "metadata"
    ],
    "properties": {
      "data": {
        "$ref": "contract#/$defs/MemoryBatch"
      },
      "metadata": {
        "$ref": "contract#/$defs/ResponseMetadata"
      }
    }
  },
  "MemoryList": {
    "type": "object",
    "required": [
      "memories",
      "total",
      "limit",
      "offset",
      "truncated"
    ],
    "properties": {
      "memories": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/Memory"
        }
      },
      "total": {
        "type": "integer"
      },
      "limit": {
        "type": "integer"
      },
      "offset": {
        "type": "integer"
      },
      "truncated": {
        "type": "boolean"
      }
    }
  },
  "MemoryListResponse": {
    "type": "object",
    "required": [
      "data",
      "metadata"
    ],
    "properties": {
      "data": {
        "$ref": "contract#/$defs/MemoryList"
      },
      "metadata": {
        "$ref": "contract#/$defs/ResponseMetadata"
      }
    }
  },
  "MemoryResponse": {
    "type": "object",
    "required": [
      "data",
      "metadata"
    ],
    "properties": {
      "data": {
        "$ref": "contract#/$defs/Memory"
      },
      "metadata": {
        "$ref": "contract#/$defs/ResponseMetadata"
      }
    }
  },
  "MemorySearchResponse": {
    "type": "object",
    "required": [
      "data",
      "metadata"
    ],
    "properties": {
      "data": {
        "$ref": "contract#/$defs/MemorySearchResults"
      },
      "metadata": {
        "$ref": "contract#/$defs/ResponseMetadata"
      }
    }
  },
  "MemorySearchResult": {
    "type": "object",
    "required": [
      "memory",
      "score"
    ],
    "properties": {
      "memory": {
        "$ref": "contract#/$defs/Memory"
      },
      "score": {
        "type": "number"
      }
    }
  },
  "MemorySearchResults": {
    "type": "object",
    "required": [
      "results",
      "total",
      "truncated"
    ],
    "properties": {
      "results": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/MemorySearchResult"
        }
      },
      "total": {
        "type": "integer",
        "deprecated": true
      },
      "truncated": {
        "type": "boolean"
      }
    }
  },
  "MemoryStats": {
    "type": "object",
    "required": [
      "memories",
      "bytes",
      "namespaces",
      "oldest_at",
      "newest_at"
    ],
    "properties": {
      "memories": {
        "type": "integer"
      },
      "bytes": {
        "type": "integer"
      },
      "namespaces": {
        "type": "array",
        "maxItems": 1000,
        "items": {
          "$ref": "contract#/$defs/NamespaceStats"
        }
      },
      "oldest_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time"
      },
      "newest_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time"
      }
    }
  },
  "MemoryStatsResponse": {
    "type": "object",
    "required": [
      "data",
      "metadata"
    ],
    "properties": {
      "data": {
        "$ref": "contract#/$defs/MemoryStats"
      },
      "metadata": {
        "$ref": "contract#/$defs/ResponseMetadata"
      }
    }
  },
  "MessageBlock": {
    "type": "object",
    "additionalProperties": true,
    "required": [
      "type"
    ],
    "properties": {
      "type": {
        "type": "string"
      },
      "text": {
        "type": "string"
      },
      "thinking": {
        "type": "string"
      },
      "id": {
        "type": "string"
      },
      "name": {
        "type": "string"
      },
      "input": {
        "type": "object",
        "additionalProperties": true
      }
    }
  },
  "MessageDelta": {
    "type": "object",
    "additionalProperties": true,
    "required": [
      "stop_reason"
    ],
    "properties": {
      "stop_reason": {
        "type": [
          "string",
          "null"
        ]
      },
      "stop_sequence": {
        "type": [
          "string",
          "null"
        ]
      }
    }
  },
  "MessageDeltaEvent": {
    "type": "object",
    "additionalProperties": true,
    "required": [
      "type",
      "delta",
      "usage"
    ],
    "properties": {
      "type": {
        "type": "string",
        "enum": [
          "message_delta"
        ]
      },
      "delta": {
        "$ref": "contract#/$defs/MessageDelta"
      },
      "usage": {
        "$ref": "contract#/$defs/MessageUsage"
      }
    }
  },
  "MessageError": {
    "type": "object",
    "required": [
      "type",
      "error",
      "request_id",
      "timestamp"
    ],
    "properties": {
      "type": {
        "type": "string",
        "enum": [
          "error"
        ]
      },
      "error": {
        "$ref": "contract#/$defs/MessageErrorDetail"
      },
      "request_id": {
        "type": "string"
      },
      "timestamp": {
        "type": "string",
        "format": "date-time"
      }
    }
  },
  "MessageErrorDetail": {
    "type": "object",
    "additionalProperties": true,
    "required": [
      "type",
      "message"
    ],
    "properties": {
      "type": {
        "type": "string"
      },
      "message": {
        "type": "string"
      },
      "name": {
        "type": "string"
      },
      "details": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/ValidationDetail"
        }
      },
      "required": {
        "type": "number"
      },
      "available": {
        "type": "number"
      },
      "affordable_max_tokens": {
        "type": "integer"
      },
      "retry_after": {
        "type": "integer"
      }
    }
  },
  "MessageErrorEvent": {
    "type": "object",
    "additionalProperties": true,
    "required": [
      "type",
      "error"
    ],
    "properties": {
      "type": {
        "type": "string",
        "enum": [
          "error"
        ]
      },
      "error": {
        "$ref": "contract#/$defs/MessageErrorDetail"
      },
      "request_id": {
        "type": "string"
      }
    }
  },
  "MessageOutputConfiguration": {
    "type": [
      "object",
      "null"
    ],
    "maxProperties": 20,
    "additionalProperties": true,
    "properties": {
      "format": {
        "type": [
          "object",
          "null"
        ],
        "maxProperties": 20,
        "additionalProperties": true
      }
    }
  },
  "MessagePingEvent": {
    "type": "object",
    "additionalProperties": true,
    "required": [
      "type"
    ],
    "properties": {
      "type": {
        "type": "string",
        "enum": [
          "ping"
        ]
      }
    }
  },
  "MessageStartEvent": {
    "type": "object",
    "additionalProperties": true,
    "required": [
      "type",
      "message"
    ],
    "properties": {
      "type": {
        "type": "string",
        "enum": [
          "message_start"
        ]
      },
      "message": {
        "$ref": "contract#/$defs/AnsweredMessage"
      }
    }
  },
  "MessageStopEvent": {
    "type": "object",
    "additionalProperties": true,
    "required": [
      "type"
    ],
    "properties": {
      "type": {
        "type": "string",
        "enum": [
          "message_stop"
        ]
      }
    }
  },
  "MessageStreamEvent": {
    "oneOf": [
      {
        "$ref": "contract#/$defs/MessageStartEvent"
      },
      {
        "$ref": "contract#/$defs/ContentBlockStartEvent"
      },
      {
        "$ref": "contract#/$defs/ContentBlockDeltaEvent"
      },
      {
        "$ref": "contract#/$defs/ContentBlockStopEvent"
      },
      {
        "$ref": "contract#/$defs/MessageDeltaEvent"
      },
      {
        "$ref": "contract#/$defs/MessageStopEvent"
      },
      {
        "$ref": "contract#/$defs/MessagePingEvent"
      },
      {
        "$ref": "contract#/$defs/MessageErrorEvent"
      }
    ]
  },
  "MessageTokens": {
    "type": "object",
    "required": [
      "input_tokens"
    ],
    "properties": {
      "input_tokens": {
        "type": "integer"
      }
    }
  },
  "MessageTool": {
    "type": "object",
    "maxProperties": 50,
    "additionalProperties": true,
    "required": [
      "name"
    ],
    "properties": {
      "type": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 100
      },
      "name": {
        "type": "string",
        "minLength": 1,
        "maxLength": 200
      },
      "description": {
        "type": "string",
        "maxLength": 1000000
      },
      "input_schema": {
        "type": "object",
        "maxProperties": 1000,
        "additionalProperties": true
      }
    }
  },
  "MessageToolChoice": {
    "type": [
      "object",
      "null"
    ],
    "maxProperties": 20,
    "additionalProperties": true,
    "required": [
      "type"
    ],
    "properties": {
      "type": {
        "type": "string",
        "enum": [
          "auto",
          "any",
          "tool",
          "none"
        ]
      },
      "name": {
        "type": "string",
        "maxLength": 200
      },
      "disable_parallel_tool_use": {
        "type": [
          "boolean",
          "null"
        ]
      }
    }
  },
  "MessageUsage": {
    "type": "object",
    "additionalProperties": true,
    "properties": {
      "input_tokens": {
        "type": [
          "integer",
          "null"
        ]
      },
      "output_tokens": {
        "type": "integer"
      },
      "cache_read_input_tokens": {
        "type": [
          "integer",
          "null"
        ]
      },
      "cache_creation_input_tokens": {
        "type": [
          "integer",
          "null"
        ]
      },
      "cost": {
        "type": "number"
      }
    }
  },
  "Model": {
    "type": "object",
    "required": [
      "id",
      "object",
      "created",
      "owned_by"
    ],
    "properties": {
      "id": {
        "type": "string"
      },
      "object": {
        "type": "string",
        "enum": [
          "model"
        ]
      },
      "created": {
        "type": "integer"
      },
      "owned_by": {
        "type": "string"
      }
    }
  },
  "ModelList": {
    "type": "object",
    "required": [
      "object",
      "data"
    ],
    "properties": {
      "object": {
        "type": "string",
        "enum": [
          "list"
        ]
      },
      "data": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/Model"
        }
      }
    }
  },
  "ModelResponse": {
    "type": "object",
    "maxProperties": 200,
    "additionalProperties": true,
    "required": [
      "id",
      "object",
      "created_at",
      "status",
      "model",
      "output"
    ],
    "properties": {
      "id": {
        "type": "string"
      },
      "object": {
        "type": "string",
        "enum": [
          "response"
        ]
      },
      "created_at": {
        "type": "number"
      },
      "status": {
        "type": "string"
      },
      "error": {
        "type": [
          "object",
          "null"
        ],
        "additionalProperties": true
      },
      "incomplete_details": {
        "type": [
          "object",
          "null"
        ],
        "additionalProperties": true
      },
      "model": {
        "type": "string"
      },
      "output": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/ResponseOutputItem"
        }
      },
      "usage": {
        "$ref": "contract#/$defs/ResponseUsage"
      },
      "store": {
        "type": [
          "boolean",
          "null"
        ]
      }
    }
  },
  "ModelUsage": {
    "type": "object",
    "required": [
      "model",
      "requests",
      "tokens",
      "cost"
    ],
    "properties": {
      "model": {
        "type": [
          "string",
          "null"
        ]
      },
      "requests": {
        "type": "integer"
      },
      "tokens": {
        "type": "integer"
      },
      "cost": {
        "type": "number"
      }
    }
  },
  "Money": {
    "type": "object",
    "required": [
      "deposited",
      "charged",
      "granted",
      "adjusted",
      "requests",
      "tokens",
      "active_accounts"
    ],
    "properties": {
      "deposited": {
        "type": "number"
      },
      "charged": {
        "type": "number"
      },
      "granted": {
        "type": "number"
      },
      "adjusted": {
        "type": "number"
      },
      "requests": {
        "type": "integer"
      },
      "tokens": {
        "type": "integer"
      },
      "active_accounts": {
        "type": "integer"
      }
    }
  },
  "NamespaceStats": {
    "type": "object",
    "required": [
      "namespace",
      "memories",
      "bytes"
    ],
    "properties": {
      "namespace": {
        "type": "string"
      },
      "memories": {
        "type": "integer"
      },
      "bytes": {
        "type": "integer"
      }
    }
  },
  "NewUpgradeRequest": {
    "type": "object",
    "additionalProperties": false,
    "required": [
      "requested_tier",
      "reason"
    ],
    "properties": {
      "requested_tier": {
        "type": "string",
        "enum": [
          "basic",
          "pro",
          "enterprise"
        ]
      },
      "reason": {
        "type": "string",
        "minLength": 1,
        "maxLength": 2000
      },
      "estimated_requests_per_day": {
        "type": "integer",
        "minimum": 1,
        "maximum": 1000000000
      }
    }
  },
  "NotReady": {
    "type": "object",
    "required": [
      "error",
      "message",
      "request_id",
      "status",
      "version",
      "timestamp",
      "checks"
    ],
    "properties": {
      "error": {
        "type": "string"
      },
      "message": {
        "type": "string"
      },
      "request_id": {
        "type": "string"
      },
      "status": {
        "type": "string",
        "enum": [
          "unavailable"
        ]
      },
      "version": {
        "type": "string"
      },
      "timestamp": {
        "type": "string",
        "format": "date-time"
      },
      "checks": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/ReadinessCheck"
        }
      }
    }
  },
  "OmmAnalysis": {
    "type": "object",
    "required": [
      "results",
      "model",
      "usage"
    ],
    "properties": {
      "results": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/OmmAnalyzedInput"
        }
      },
      "model": {
        "$ref": "contract#/$defs/AnsweredBy"
      },
      "usage": {
        "$ref": "contract#/$defs/AnswerUsage"
      }
    }
  },
  "OmmAnalysisResponse": {
    "type": "object",
    "required": [
      "data",
      "metadata"
    ],
    "properties": {
      "data": {
        "$ref": "contract#/$defs/OmmAnalysis"
      },
      "metadata": {
        "$ref": "contract#/$defs/ResponseMetadata"
      }
    }
  },
  "OmmAnalyzedInput": {
    "type": "object",
    "required": [
      "index",
      "type",
      "media_type",
      "size_bytes",
      "text",
      "image",
      "document"
    ],
    "properties": {
      "index": {
        "type": "integer"
      },
      "type": {
        "$ref": "contract#/$defs/OmmFoundType"
      },
      "media_type": {
        "type": "string"
      },
      "size_bytes": {
        "type": "integer"
      },
      "text": {
        "anyOf": [
          {
            "$ref": "contract#/$defs/OmmTextFacts"
          },
          {
            "type": "null"
          }
        ]
      },
      "image": {
        "anyOf": [
          {
            "$ref": "contract#/$defs/OmmImageFacts"
          },
          {
            "type": "null"
          }
        ]
      },
      "document": {
        "anyOf": [
          {
            "$ref": "contract#/$defs/OmmDocumentFacts"
          },
          {
            "type": "null"
          }
        ]
      }
    }
  },
  "OmmBatch": {
    "type": "object",
    "required": [
      "results",
      "succeeded",
      "failed",
      "cost"
    ],
    "properties": {
      "results": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/OmmBatchResult"
        }
      },
      "succeeded": {
        "type": "integer"
      },
      "failed": {
        "type": "integer"
      },
      "cost": {
        "type": "number"
      }
    }
  },
  "OmmBatchError": {
    "type": "object",
    "required": [
      "error",
      "message"
    ],
    "additionalProperties": true,
    "properties": {
      "error": {
        "type": "string"
      },
      "message": {
        "type": "string"
      },
      "details": {
        "type": "array",
        "items": {
          "type": "object",
          "required": [
            "field",
            "message"
          ],
          "properties": {
            "field": {
              "type": "string"
            },
            "message": {
              "type": "string"
            }
          }
        }
      }
    }
  },
  "OmmBatchItem": {
    "type": "object",
    "additionalProperties": false,
    "required": [
      "operation",
      "body"
    ],
    "properties": {
      "operation": {
        "$ref": "contract#/$defs/OmmBatchOperation"
      },
      "body": {
        "type": "object",
        "maxProperties": 200,
        "additionalProperties": true
      }
    }
  },
  "OmmBatchOperation": {
    "type": "string",
    "enum": [
      "process",
      "analyze",
      "generate",
      "transform"
    ]
  },
  "OmmBatchResponse": {
    "type": "object",
    "required": [
      "data",
      "metadata"
    ],
    "properties": {
      "data": {
        "$ref": "contract#/$defs/OmmBatch"
      },
      "metadata": {
        "$ref": "contract#/$defs/ResponseMetadata"
      }
    }
  },
  "OmmBatchResult": {
    "type": "object",
    "required": [
      "index",
      "operation",
      "status",
      "data",
      "error",
      "cost",
      "request_id"
    ],
    "properties": {
      "index": {
        "type": "integer"
      },
      "operation": {
        "$ref": "contract#/$defs/OmmBatchOperation"
      },
      "status": {
        "type": "integer"
      },
      "data": {},
      "error": {
        "anyOf": [
          {
            "$ref": "contract#/$defs/OmmBatchError"
          },
          {
            "type": "null"
          }
        ]
      },
      "cost": {
        "type": "number"
      },
      "request_id": {
        "type": "string"
      }
    }
  },
  "OmmCapability": {
    "type": "object",
    "required": [
      "operation",
      "task",
      "input",
      "output",
      "engine",
      "method",
      "available"
    ],
    "properties": {
      "operation": {
        "$ref": "contract#/$defs/OmmBatchOperation"
      },
      "task": {
        "anyOf": [
          {
            "$ref": "contract#/$defs/OmmTask"
          },
          {
            "type": "null"
          }
        ]
      },
      "input": {
        "anyOf": [
          {
            "$ref": "contract#/$defs/OmmFoundType"
          },
          {
            "type": "null"
          }
        ]
      },
      "output": {
        "type": "string"
      },
      "engine": {
        "type": "string",
        "enum": [
          "embedded",
          "upstream"
        ]
      },
      "method": {
        "type": [
          "string",
          "null"
        ]
      },
      "available": {
        "type": "boolean"
      }
    }
  },
  "OmmCrop": {
    "type": "object",
    "additionalProperties": false,
    "required": [
      "left",
      "top",
      "width",
      "height"
    ],
    "properties": {
      "left": {
        "type": "integer",
        "minimum": 0,
        "maximum": 50000
      },
      "top": {
        "type": "integer",
        "minimum": 0,
        "maximum": 50000
      },
      "width": {
        "type": "integer",
        "minimum": 1,
        "maximum": 50000
      },
      "height": {
        "type": "integer",
        "minimum": 1,
        "maximum": 50000
      }
    }
  },
  "OmmDocumentFacts": {
    "type": "object",
    "required": [
      "pages",
      "title",
      "tables",
      "tables_total",
      "truncated"
    ],
    "properties": {
      "pages": {
        "type": [
          "integer",
          "null"
        ]
      },
      "title": {
        "type": [
          "string",
          "null"
        ]
      },
      "tables": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/OmmTable"
        }
      },
      "tables_total": {
        "type": "integer"
      },
      "truncated": {
        "type": "boolean"
      }
    }
  },
  "OmmEntity": {
    "type": "object",
    "required": [
      "type",
      "text",
      "start",
      "end",
      "value"
    ],
    "properties": {
      "type": {
        "type": "string",
        "enum": [
          "person",
          "organization",
          "location",
          "date",
          "time",
          "duration",
          "money",
          "percentage",
          "email",
          "url",
          "phone",
          "identifier"
        ]
      },
      "text": {
        "type": "string"
      },
      "start": {
        "type": [
          "integer",
          "null"
        ]
      },
      "end": {
        "type": [
          "integer",
          "null"
        ]
      },
      "value": {
        "type": [
          "string",
          "null"
        ]
      }
    }
  },
  "OmmExifFacts": {
    "type": "object",
    "required": [
      "orientation",
      "density_dpi",
      "taken_at",
      "camera_make",
      "camera_model"
    ],
    "properties": {
      "orientation": {
        "type": "integer"
      },
      "density_dpi": {
        "type": [
          "number",
          "null"
        ]
      },
      "taken_at": {
        "type": [
          "string",
          "null"
        ]
      },
      "camera_make": {
        "type": [
          "string",
          "null"
        ]
      },
      "camera_model": {
        "type": [
          "string",
          "null"
        ]
      }
    }
  },
  "OmmFoundType": {
    "type": "string",
    "enum": [
      "text",
      "image",
      "document"
    ]
  },
  "OmmGenerated": {
    "type": "object",
    "required": [
      "output_type",
      "text",
      "model",
      "truncated",
      "usage"
    ],
    "properties": {
      "output_type": {
        "type": "string",
        "enum": [
          "text"
        ]
      },
      "text": {
        "type": "string"
      },
      "model": {
        "$ref": "contract#/$defs/AnsweredBy"
      },
      "truncated": {
        "$ref": "contract#/$defs/AnswerTruncated"
      },
      "usage": {
        "$ref": "contract#/$defs/AnswerUsage"
      }
    }
  },
  "OmmGeneratedResponse": {
    "type": "object",
    "required": [
      "data",
      "metadata"
    ],
    "properties": {
      "data": {
        "$ref": "contract#/$defs/OmmGenerated"
      },
      "metadata": {
        "$ref": "contract#/$defs/ResponseMetadata"
      }
    }
  },
  "OmmImageFacts": {
    "type": "object",
    "required": [
      "width",
      "height",
      "format",
      "has_alpha",
      "channels",
      "dominant_color",
      "brightness",
      "sharpness",
      "frames",
      "exif"
    ],
    "properties": {
      "width": {
        "type": "integer"
      },
      "height": {
        "type": "integer"
      },
      "format": {
        "type": "string",
        "enum": [
          "png",
          "jpeg",
          "webp"
        ]
      },
      "has_alpha": {
        "type": "boolean"
      },
      "channels": {
        "type": "integer"
      },
      "dominant_color": {
        "type": "string"
      },
      "brightness": {
        "type": "number"
      },
      "sharpness": {
        "type": "number"
      },
      "frames": {
        "type": "integer"
      },
      "exif": {
        "anyOf": [
          {
            "$ref": "contract#/$defs/OmmExifFacts"
          },
          {
            "type": "null"
          }
        ]
      }
    }
  },
  "OmmInput": {
    "type": "object",
    "additionalProperties": false,
    "required": [
      "type"
    ],
    "properties": {
      "type": {
        "type": "string",
        "enum": [
          "text",
          "image",
          "document",
          "url"
        ]
      },
      "content": {
        "type": "string",
        "minLength": 1,
        "maxLength": 16000000
      },
      "url": {
        "type": "string",
        "minLength": 1,
        "maxLength": 2048
      },
      "format": {
        "type": "string",
        "enum": [
          "plain",
          "markdown",
          "html"
        ]
      }
    }
  },
  "OmmInputTokensMax": {
    "type": "integer",
    "minimum": 1,
    "maximum": 500000
  },
  "OmmInputs": {
    "type": "array",
    "minItems": 1,
    "maxItems": 10,
    "items": {
      "$ref": "contract#/$defs/OmmInput"
    }
  },
  "OmmKeyword": {
    "type": "object",
    "required": [
      "text",
      "score",
      "count"
    ],
    "properties": {
      "text": {
        "type": "string"
      },
      "score": {
        "type": [
          "number",
          "null"
        ]
      },
      "count": {
        "type": [
          "integer",
          "null"
        ]
      }
    }
  },
  "OmmModel": {
    "type": "object",
    "required": [
      "id",
      "provider"
    ],
    "properties": {
      "id": {
        "type": "string"
      },
      "provider": {
        "type": "string"
      }
    }
  },
  "OmmModels": {
    "type": "object",
    "required": [
      "capabilities",
      "engines",
      "models"
    ],
    "properties": {
      "capabilities": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/OmmCapability"
        }
      },
      "engines": {
        "type": "array",
        "items": {
          "type": "object",
          "required": [
            "provider",
            "quality",
            "available"
          ],
          "properties": {
            "provider": {
              "type": "string"
            },
            "quality": {
              "type": "string",
              "enum": [
                "basic",
                "model"
              ]
            },
            "available": {
              "type": "boolean"
            }
          }
        }
      },
      "models": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/OmmModel"
        }
      }
    }
  },
  "OmmModelsResponse": {
    "type": "object",
    "required": [
      "data",
      "metadata"
    ],
    "properties": {
      "data": {
        "$ref": "contract#/$defs/OmmModels"
      },
      "metadata": {
        "$ref": "contract#/$defs/ResponseMetadata"
      }
    }
  },
  "OmmParameters": {
    "type": "object",
    "additionalProperties": false,
    "properties": {
      "sentences": {
        "type": "integer",
        "minimum": 1,
        "maximum": 20
      },
      "count": {
        "type": "integer",
        "minimum": 1,
        "maximum": 50
      },
      "labels": {
        "type": "array",
        "minItems": 2,
        "maxItems": 20,
        "uniqueItems": true,
        "items": {
          "type": "string",
          "minLength": 1,
          "maxLength": 100
        }
      }
    }
  },
  "OmmProcessed": {
    "type": "object",
    "required": [
      "task",
      "results",
      "model",
      "truncated",
      "dropped",
      "usage"
    ],
    "properties": {
      "task": {
        "$ref": "contract#/$defs/OmmTask"
      },
      "results": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/OmmResult"
        }
      },
      "model": {
        "$ref": "contract#/$defs/AnsweredBy"
      },
      "truncated": {
        "$ref": "contract#/$defs/AnswerTruncated"
      },
      "dropped": {
        "$ref": "contract#/$defs/AnswerDropped"
      },
      "usage": {
        "$ref": "contract#/$defs/AnswerUsage"
      }
    }
  },
  "OmmProcessedResponse": {
    "type": "object",
    "required": [
      "data",
      "metadata"
    ],
    "properties": {
      "data": {
        "$ref": "contract#/$defs/OmmProcessed"
      },
      "metadata": {
        "$ref": "contract#/$defs/ResponseMetadata"
      }
    }
  },
  "OmmReadability": {
    "type": "object",
    "required": [
      "flesch_reading_ease",
      "flesch_kincaid_grade",
      "reading_level"
    ],
    "properties": {
      "flesch_reading_ease": {
        "type": [
          "number",
          "null"
        ]
      },
      "flesch_kincaid_grade": {
        "type": [
          "number",
          "null"
        ]
      },
      "reading_level": {
        "type": [
          "string",
          "null"
        ],
        "enum": [
          "very_easy",
          "easy",
          "standard",
          "difficult",
          "very_difficult",
          null
        ]
      }
    }
  },
  "OmmResize": {
    "type": "object",
    "additionalProperties": false,
    "properties": {
      "width": {
        "type": "integer",
        "minimum": 1,
        "maximum": 8192
      },
      "height": {
        "type": "integer",
        "minimum": 1,
        "maximum": 8192
      },
      "fit": {
        "type": "string",
        "enum": [
          "inside",
          "cover",
          "contain",
          "fill"
        ],
        "default": "inside"
      }
    }
  },
  "OmmResult": {
    "type": "object",
    "required": [
      "index",
      "type",
      "media_type",
      "truncated",
      "description",
      "summary",
      "entities",
      "label",
      "keywords",
      "text"
    ],
    "properties": {
      "index": {
        "type": "integer"
      },
      "type": {
        "$ref": "contract#/$defs/OmmFoundType"
      },
      "media_type": {
        "type": "string"
      },
      "truncated": {
        "type": "boolean"
      },
      "description": {
        "type": [
          "string",
          "null"
        ]
      },
      "summary": {
        "anyOf": [
          {
            "$ref": "contract#/$defs/OmmSummary"
          },
          {
            "type": "null"
          }
        ]
      },
      "entities": {
        "type": [
          "array",
          "null"
        ],
        "items": {
          "$ref": "contract#/$defs/OmmEntity"
        }
      },
      "label": {
        "type": [
          "string",
          "null"
        ]
      },
      "keywords": {
        "type": [
          "array",
          "null"
        ],
        "items": {
          "$ref": "contract#/$defs/OmmKeyword"
        }
      },
      "text": {
        "type": [
          "string",
          "null"
        ]
      }
    }
  },
  "OmmSummary": {
    "type": "object",
    "required": [
      "text",
      "sentences"
    ],
    "properties": {
      "text": {
        "type": "string"
      },
      "sentences": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/QuotedSentence"
        }
      }
    }
  },
  "OmmTable": {
    "type": "object",
    "required": [
      "header",
      "rows",
      "rows_total"
    ],
    "properties": {
      "header": {
        "type": "array",
        "items": {
          "type": "string"
        }
      },
      "rows": {
        "type": "array",
        "items": {
          "type": "array",
          "items": {
            "type": "string"
          }
        }
      },
      "rows_total": {
        "type": "integer"
      }
    }
  },
  "OmmTarget": {
    "type": "string",
    "enum": [
      "text",
      "markdown",
      "html",
      "docx",
      "pdf",
      "png",
      "jpeg",
      "webp",
      "audio"
    ]
  },
  "OmmTask": {
    "type": "string",
    "enum": [
      "describe",
      "summarize",
      "extract",
      "classify",
      "keywords",
      "ocr",
      "transcribe"
    ]
  },
  "OmmTextFacts": {
    "type": "object",
    "required": [
      "language",
      "statistics",
      "readability",
      "entities"
    ],
    "properties": {
      "language": {
        "type": [
          "string",
          "null"
        ]
      },
      "statistics": {
        "$ref": "contract#/$defs/OmmTextStatistics"
      },
      "readability": {
        "$ref": "contract#/$defs/OmmReadability"
      },
      "entities": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/OmmEntity"
        }
      }
    }
  },
  "OmmTextStatistics": {
    "type": "object",
    "required": [
      "characters",
      "words",
      "sentences",
      "paragraphs",
      "average_sentence_words",
      "average_word_syllables",
      "reading_time_seconds"
    ],
    "properties": {
      "characters": {
        "type": "integer"
      },
      "words": {
        "type": "integer"
      },
      "sentences": {
        "type": "integer"
      },
      "paragraphs": {
        "type": "integer"
      },
      "average_sentence_words": {
        "type": "number"
      },
      "average_word_syllables": {
        "type": "number"
      },
      "reading_time_seconds": {
        "type": "number"
      }
    }
  },
  "OmmTransformed": {
    "type": "object",
    "required": [
      "from",
      "to",
      "media_type",
      "encoding",
      "content",
      "size_bytes",
      "checksum",
      "width",
      "height",
      "truncated",
      "model",
      "usage"
    ],
    "properties": {
      "from": {
        "type": "string"
      },
      "to": {
        "$ref": "contract#/$defs/OmmTarget"
      },
      "media_type": {
        "type": "string"
      },
      "encoding": {
        "type": "string",
        "enum": [
          "utf-8",
          "base64"
        ]
      },
      "content": {
        "type": "string"
      },
      "size_bytes": {
        "type": "integer"
      },
      "checksum": {
        "type": "string"
      },
      "width": {
        "type": [
          "integer",
          "null"
        ]
      },
      "height": {
        "type": [
          "integer",
          "null"
        ]
      },
      "truncated": {
        "type": "boolean"
      },
      "model": {
        "$ref": "contract#/$defs/AnsweredBy"
      },
      "usage": {
        "$ref": "contract#/$defs/AnswerUsage"
      }
    }
  },
  "OmmTransformedResponse": {
    "type": "object",
    "required": [
      "data",
      "metadata"
    ],
    "properties": {
      "data": {
        "$ref": "contract#/$defs/OmmTransformed"
      },
      "metadata": {
        "$ref": "contract#/$defs/ResponseMetadata"
      }
    }
  },
  "OmmVariable": {
    "type": "object",
    "additionalProperties": false,
    "required": [
      "name",
      "value"
    ],
    "properties": {
      "name": {
        "type": "string",
        "maxLength": 64,
        "pattern": "^[a-z][a-z0-9_]{0,63}$",
        "x-fault": "begins with a small letter and has only small letters, digits and underscores, at most 64"
      },
      "value": {
        "type": "string",
        "maxLength": 100000
      }
    }
  },
  "OpenAiError": {
    "type": "object",
    "required": [
      "error",
      "request_id",
      "timestamp"
    ],
    "properties": {
      "error": {
        "$ref": "contract#/$defs/OpenAiErrorObject"
      },
      "request_id": {
        "type": "string"
      },
      "timestamp": {
        "type": "string",
        "format": "date-time"
      }
    }
  },
  "OpenAiErrorObject": {
    "type": "object",
    "additionalProperties": true,
    "required": [
      "message",
      "type",
      "code",
      "param"
    ],
    "properties": {
      "message": {
        "type": "string"
      },
      "type": {
        "type": "string"
      },
      "code": {
        "type": [
          "string",
          "null"
        ]
      },
      "param": {
        "type": [
          "string",
          "null"
        ]
      },
      "required": {
        "type": "number"
      },
      "available": {
        "type": "number"
      },
      "affordable_max_tokens": {
        "type": "integer"
      }
    }
  },
  "OperationUsage": {
    "type": "object",
    "required": [
      "operation",
      "requests",
      "tokens",
      "cost"
    ],
    "properties": {
      "operation": {
        "type": "string"
      },
      "requests": {
        "type": "integer"
      },
      "tokens": {
        "type": "integer"
      },
      "cost": {
        "type": "number"
      }
    }
  },
  "OperatorOverview": {
    "type": "object",
    "required": [
      "accounts",
      "pending_upgrade_requests",
      "payments_in_review",
      "open_payments",
      "switched_off_webhooks",
      "abandoned_deliveries_last_24h",
      "today",
      "last_30_days",
      "balances",
      "checked_at"
    ],
    "properties": {
      "accounts": {
        "$ref": "contract#/$defs/AccountCounts"
      },
      "pending_upgrade_requests": {
        "type": "integer"
      },
      "payments_in_review": {
        "type": "integer"
      },
      "open_payments": {
        "type": "integer"
      },
      "switched_off_webhooks": {
        "type": "integer"
      },
      "abandoned_deliveries_last_24h": {
        "type": "integer"
      },
      "today": {
        "$ref": "contract#/$defs/Money"
      },
      "last_30_days": {
        "$ref": "contract#/$defs/Money"
      },
      "balances": {
        "type": "number"
      },
      "checked_at": {
        "type": "string",
        "format": "date-time"
      }
    }
  },
  "OptimizationGoal": {
    "type": "string",
    "enum": [
      "concision",
      "repetition",
      "spacing",
      "clarity"
    ]
  },
  "OptimizationMetrics": {
    "type": "object",
    "required": [
      "before",
      "after"
    ],
    "properties": {
      "before": {
        "$ref": "contract#/$defs/OptimizedTextMetrics"
      },
      "after": {
        "$ref": "contract#/$defs/OptimizedTextMetrics"
      }
    }
  },
  "OptimizeAdvancedRequest": {
    "type": "object",
    "additionalProperties": false,
    "properties": {
      "content": {
        "$ref": "contract#/$defs/SourceContent"
      },
      "document_id": {
        "$ref": "contract#/$defs/SourceDocumentId"
      },
      "goals": {
        "type": "array",
        "minItems": 1,
        "maxItems": 4,
        "default": [
          "concision",
          "repetition",
          "spacing"
        ],
        "items": {
          "$ref": "contract#/$defs/OptimizationGoal"
        }
      },
      "model": {
        "$ref": "contract#/$defs/AnsweringModel"
      },
      "max_tokens": {
        "$ref": "contract#/$defs/AnswerTokensMax"
      },
      "allow_degraded": {
        "$ref": "contract#/$defs/AllowDegraded"
      }
    }
  },
  "OptimizeProfessionalRequest": {
    "type": "object",
    "additionalProperties": false,
    "properties": {
      "content": {
        "$ref": "contract#/$defs/SourceContent"
      },
      "document_id": {
        "$ref": "contract#/$defs/SourceDocumentId"
      },
      "model": {
        "$ref": "contract#/$defs/AnsweringModel"
      },
      "max_tokens": {
        "$ref": "contract#/$defs/AnswerTokensMax"
      },
      "allow_degraded": {
        "$ref": "contract#/$defs/AllowDegraded"
      }
    }
  },
  "OptimizedContent": {
    "type": "object",
    "required": [
      "text",
      "changes",
      "metrics",
      "model",
      "truncated",
      "dropped",
      "usage"
    ],
    "properties": {
      "text": {
        "type": "string"
      },
      "changes": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/TextChangeMade"
        }
      },
      "metrics": {
        "$ref": "contract#/$defs/OptimizationMetrics"
      },
      "model": {
        "$ref": "contract#/$defs/AnsweredBy"
      },
      "truncated": {
        "$ref": "contract#/$defs/AnswerTruncated"
      },
      "dropped": {
        "$ref": "contract#/$defs/AnswerDropped"
      },
      "usage": {
        "$ref": "contract#/$defs/AnswerUsage"
      }
    }
  },
  "OptimizedContentResponse": {
    "type": "object",
    "required": [
      "data",
      "metadata"
    ],
    "properties": {
      "data": {
        "$ref": "contract#/$defs/OptimizedContent"
      },
      "metadata": {
        "$ref": "contract#/$defs/ResponseMetadata"
      }
    }
  },
  "OptimizedText": {
    "type": "object",
    "required": [
      "text",
      "changes",
      "metrics",
      "model",
      "truncated",
      "dropped",
      "usage"
    ],
    "properties": {
      "text": {
        "type": "string"
      },
      "changes": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/ProfessionalChange"
        }
      },
      "metrics": {
        "type": "object",
        "required": [
          "before",
          "after"
        ],
        "properties": {
          "before": {
            "$ref": "contract#/$defs/ProfessionalMetrics"
          },
          "after": {
            "$ref": "contract#/$defs/ProfessionalMetrics"
          }
        }
      },
      "model": {
        "$ref": "contract#/$defs/AnsweredBy"
      },
      "truncated": {
        "$ref": "contract#/$defs/AnswerTruncated"
      },
      "dropped": {
        "$ref": "contract#/$defs/AnswerDropped"
      },
      "usage": {
        "$ref": "contract#/$defs/AnswerUsage"
      }
    }
  },
  "OptimizedTextMetrics": {
    "type": "object",
    "required": [
      "statistics",
      "readability"
    ],
    "properties": {
      "statistics": {
        "$ref": "contract#/$defs/TextCounts"
      },
      "readability": {
        "$ref": "contract#/$defs/TextReadability"
      }
    }
  },
  "OptimizedTextResponse": {
    "type": "object",
    "required": [
      "data",
      "metadata"
    ],
    "properties": {
      "data": {
        "$ref": "contract#/$defs/OptimizedText"
      },
      "metadata": {
        "$ref": "contract#/$defs/ResponseMetadata"
      }
    }
  },
  "OtherContentPart": {
    "type": "object",
    "maxProperties": 50,
    "additionalProperties": true,
    "required": [
      "type"
    ],
    "properties": {
      "type": {
        "type": "string",
        "minLength": 1,
        "maxLength": 50
      },
      "text": {
        "type": [
          "string",
          "null"
        ]
      }
    }
  },
  "OutlineHeading": {
    "type": "object",
    "required": [
      "title",
      "level",
      "start",
      "end",
      "anchor"
    ],
    "properties": {
      "title": {
        "type": "string"
      },
      "level": {
        "type": "integer",
        "minimum": 1,
        "maximum": 6
      },
      "start": {
        "type": "integer"
      },
      "end": {
        "type": "integer"
      },
      "anchor": {
        "type": "string"
      }
    }
  },
  "OutlineResult": {
    "type": "object",
    "required": [
      "type",
      "headings"
    ],
    "properties": {
      "type": {
        "type": "string",
        "enum": [
          "outline"
        ]
      },
      "headings": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/OutlineHeading"
        }
      }
    }
  },
  "OutputItemAddedEvent": {
    "type": "object",
    "additionalProperties": true,
    "required": [
      "type",
      "output_index",
      "item",
      "sequence_number"
    ],
    "properties": {
      "type": {
        "type": "string",
        "enum": [
          "response.output_item.added"
        ]
      },
      "output_index": {
        "type": "integer"
      },
      "item": {
        "$ref": "contract#/$defs/ResponseOutputItem"
      },
      "sequence_number": {
        "type": "integer"
      }
    }
  },
  "OutputItemDoneEvent": {
    "type": "object",
    "additionalProperties": true,
    "required": [
      "type",
      "output_index",
      "item",
      "sequence_number"
    ],
    "properties": {
      "type": {
        "type": "string",
        "enum": [
          "response.output_item.done"
        ]
      },
      "output_index": {
        "type": "integer"
      },
      "item": {
        "$ref": "contract#/$defs/ResponseOutputItem"
      },
      "sequence_number": {
        "type": "integer"
      }
    }
  },
  "OutputTextDeltaEvent": {
    "type": "object",
    "additionalProperties": true,
    "required": [
      "type",
      "item_id",
      "output_index",
      "content_index",
      "delta",
      "sequence_number"
    ],
    "properties": {
      "type": {
        "type": "string",
        "enum": [
          "response.output_text.delta"
        ]
      },
      "item_id": {
        "type": "string"
      },
      "output_index": {
        "type": "integer"
      },
      "content_index": {
        "type": "integer"
      },
      "delta": {
        "type": "string"
      },
      "logprobs": {
        "type": "array",
        "items": {
          "type": "object",
          "additionalProperties": true
        }
      },
      "sequence_number": {
        "type": "integer"
      }
    }
  },
  "OutputTextDoneEvent": {
    "type": "object",
    "additionalProperties": true,
    "required": [
      "type",
      "item_id",
      "output_index",
      "content_index",
      "text",
      "sequence_number"
    ],
    "properties": {
      "type": {
        "type": "string",
        "enum": [
          "response.output_text.done"
        ]
      },
      "item_id": {
        "type": "string"
      },
      "output_index": {
        "type": "integer"
      },
      "content_index": {
        "type": "integer"
      },
      "text": {
        "type": "string"
      },
      "logprobs": {
        "type": "array",
        "items": {
          "type": "object",
          "additionalProperties": true
        }
      },
      "sequence_number": {
        "type": "integer"
      }
    }
  },
  "OutputTextPart": {
    "type": "object",
    "maxProperties": 20,
    "additionalProperties": true,
    "required": [
      "type",
      "text"
    ],
    "properties": {
      "type": {
        "type": "string",
        "enum": [
          "output_text"
        ]
      },
      "text": {
        "type": "string"
      },
      "annotations": {
        "type": "array",
        "maxItems": 1000,
        "items": {
          "type": "object",
          "maxProperties": 200,
          "additionalProperties": true
        }
      },
      "logprobs": {
        "type": "array",
        "maxItems": 100000,
        "items": {
          "type": "object",
          "maxProperties": 200,
          "additionalProperties": true
        }
      }
    }
  },
  "OutputTokensMax": {
    "type": [
      "integer",
      "null"
    ],
    "minimum": 1,
    "maximum": 10000000,
    "x-absent": -1
  },
  "Overview": {
    "type": "object",
    "required": [
      "balance",
      "reserved",
      "available",
      "timezone",
      "start_date",
      "end_date",
      "today",
      "this_month",
      "period",
      "by_day",
      "by_key",
      "by_operation",
      "by_model",
      "runs_out"
    ],
    "properties": {
      "balance": {
        "type": "number"
      },
      "reserved": {
        "type": "number"
      },
      "available": {
        "type": "number"
      },
      "timezone": {
        "type": "string"
      },
      "start_date": {
        "type": "string",
        "format": "date-time"
      },
      "end_date": {
        "type": "string",
        "format": "date-time"
      },
      "today": {
        "$ref": "contract#/$defs/UsageTotals"
      },
      "this_month": {
        "$ref": "contract#/$defs/UsageTotals"
      },
      "period": {
        "$ref": "contract#/$defs/UsageTotals"
      },
      "by_day": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/UsagePoint"
        }
      },
      "by_key": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/KeyCost"
        }
      },
      "by_operation": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/OperationUsage"
        }
      },
      "by_model": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/ModelUsage"
        }
      },
      "runs_out": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/RunsOut"
        }
      }
    }
  },
  "OwnUpgradeRequestList": {
    "type": "object",
    "required": [
      "upgrade_requests",
      "total",
      "limit",
      "offset"
    ],
    "properties": {
      "upgrade_requests": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/UpgradeRequest"
        }
      },
      "total": {
        "type": "integer"
      },
      "limit": {
        "type": "integer"
      },
      "offset": {
        "type": "integer"
      }
    }
  },
  "PasswordChanged": {
    "type": "object",
    "required": [
      "message"
    ],
    "properties": {
      "message": {
        "type": "string"
      }
    }
  },
  "PasswordReset": {
    "type": "object",
    "required": [
      "path",
      "url",
      "expires_at"
    ],
    "properties": {
      "path": {
        "type": "string"
      },
      "url": {
        "type": [
          "string",
          "null"
        ]
      },
      "expires_at": {
        "type": "string",
        "format": "date-time"
      }
    }
  },
  "PasswordResetRequested": {
    "type": "object",
    "required": [
      "sends_email",
      "message"
    ],
    "properties": {
      "sends_email": {
        "type": "boolean"
      },
      "message": {
        "type": "string"
      }
    }
  },
  "Payment": {
    "type": "object",
    "required": [
      "id",
      "payment_id",
      "user_id",
      "amount_usd",
      "currency",
      "network",
      "amount_crypto",
      "amount_crypto_text",
      "address",
      "reference",
      "payment_uri",
      "qr_path",
      "rate",
      "price_sources",
      "status",
      "failure_reason",
      "confirmations",
      "required_confirmations",
      "tx_hash",
      "received_crypto",
      "received_crypto_text",
      "credited_usd",
      "underpaid",
      "overpaid",
      "late",
      "transfers",
      "detected_at",
      "expires_at",
      "created_at",
      "confirmed_at"
    ],
    "properties": {
      "id": {
        "type": "string",
        "format": "uuid"
      },
      "payment_id": {
        "type": "string",
        "format": "uuid"
      },
      "user_id": {
        "type": "string",
        "format": "uuid"
      },
      "amount_usd": {
        "type": "number"
      },
      "currency": {
        "$ref": "contract#/$defs/PaymentCurrency"
      },
      "network": {
        "type": "string"
      },
      "amount_crypto": {
        "type": "number"
      },
      "amount_crypto_text": {
        "type": "string"
      },
      "address": {
        "type": "string"
      },
      "reference": {
        "type": [
          "string",
          "null"
        ]
      },
      "payment_uri": {
        "type": "string"
      },
      "qr_path": {
        "type": "string"
      },
      "rate": {
        "type": "number"
      },
      "price_sources": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/PaymentPriceSource"
        }
      },
      "status": {
        "$ref": "contract#/$defs/PaymentStatus"
      },
      "failure_reason": {
        "type": [
          "string",
          "null"
        ]
      },
      "confirmations": {
        "type": "integer"
      },
      "required_confirmations": {
        "type": "integer"
      },
      "tx_hash": {
        "type": [
          "string",
          "null"
        ]
      },
      "received_crypto": {
        "type": "number"
      },
      "received_crypto_text": {
        "type": "string"
      },
      "credited_usd": {
        "type": "number"
      },
      "underpaid": {
        "type": "boolean"
      },
      "overpaid": {
        "type": "boolean"
      },
      "late": {
        "type": "boolean"
      },
      "transfers": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/PaymentTransfer"
        }
      },
      "detected_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time"
      },
      "expires_at": {
        "type": "string",
        "format": "date-time"
      },
      "created_at": {
        "type": "string",
        "format": "date-time"
      },
      "confirmed_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time"
      }
    }
  },
  "PaymentConfirmedData": {
    "type": "object",
    "required": [
      "payment_id",
      "user_id",
      "amount_usd",
      "currency",
      "amount_crypto",
      "tx_hash",
      "confirmations",
      "received_crypto",
      "received_crypto_text",
      "credited_usd",
      "underpaid",
      "overpaid",
      "late",
      "previous_balance",
      "new_balance"
    ],
    "properties": {
      "payment_id": {
        "type": "string",
        "format": "uuid"
      },
      "user_id": {
        "type": "string",
        "format": "uuid"
      },
      "amount_usd": {
        "type": "number"
      },
      "currency": {
        "type": "string",
        "enum": [
          "BTC",
          "ETH",
          "SOL"
        ]
      },
      "amount_crypto": {
        "type": "number"
      },
      "tx_hash": {
        "type": [
          "string",
          "null"
        ]
      },
      "confirmations": {
        "type": "integer"
      },
      "received_crypto": {
        "type": "number"
      },
      "received_crypto_text": {
        "type": "string"
      },
      "credited_usd": {
        "type": "number"
      },
      "underpaid": {
        "type": "boolean"
      },
      "overpaid": {
        "type": "boolean"
      },
      "late": {
        "type": "boolean"
      },
      "previous_balance": {
        "type": "number"
      },
      "new_balance": {
        "type": "number"
      },
      "test": {
        "type": "boolean",
        "enum": [
          true
        ]
      }
    }
  },
  "PaymentConfirmedEvent": {
    "type": "object",
    "required": [
      "event_id",
      "event_type",
      "timestamp",
      "data",
      "signature"
    ],
    "properties": {
      "event_id": {
        "type": "string",
        "format": "uuid"
      },
      "event_type": {
        "type": "string",
        "enum": [
          "payment.confirmed"
        ]
      },
      "timestamp": {
        "type": "string",
        "format": "date-time"
      },
      "data": {
        "$ref": "contract#/$defs/PaymentConfirmedData"
      },
      "signature": {
        "type": "string"
      }
    }
  },
  "PaymentConfirmingData": {
    "type": "object",
    "required": [
      "payment_id",
      "user_id",
      "amount_usd",
      "currency",
      "amount_crypto",
      "tx_hash",
      "confirmations",
      "required_confirmations"
    ],
    "properties": {
      "payment_id": {
        "type": "string",
        "format": "uuid"
      },
      "user_id": {
        "type": "string",
        "format": "uuid"
      },
      "amount_usd": {
        "type": "number"
      },
      "currency": {
        "type": "string",
        "enum": [
          "BTC",
          "ETH",
          "SOL"
        ]
      },
      "amount_crypto": {
        "type": "number"
      },
      "tx_hash": {
        "type": [
          "string",
          "null"
        ]
      },
      "confirmations": {
        "type": "integer"
      },
      "required_confirmations": {
        "type": "integer"
      },
      "test": {
        "type": "boolean",
        "enum": [
          true
        ]
      }
    }
  },
  "PaymentConfirmingEvent": {
    "type": "object",
    "required": [
      "event_id",
      "event_type",
      "timestamp",
      "data",
      "signature"
    ],
    "properties": {
      "event_id": {
        "type": "string",
        "format": "uuid"
      },
      "event_type": {
        "type": "string",
        "enum": [
          "payment.confirming"
        ]
      },
      "timestamp": {
        "type": "string",
        "format": "date-time"
      },
      "data": {
        "$ref": "contract#/$defs/PaymentConfirmingData"
      },
      "signature": {
        "type": "string"
      }
    }
  },
  "PaymentCreatedData": {
    "type": "object",
    "required": [
      "payment_id",
      "user_id",
      "amount_usd",
      "currency",
      "amount_crypto",
      "address",
      "reference",
      "expires_at"
    ],
    "properties": {
      "payment_id": {
        "type": "string",
        "format": "uuid"
      },
      "user_id": {
        "type": "string",
        "format": "uuid"
      },
      "amount_usd": {
        "type": "number"
      },
      "currency": {
        "type": "string",
        "enum": [
          "BTC",
          "ETH",
          "SOL"
        ]
      },
      "amount_crypto": {
        "type": "number"
      },
      "address": {
        "type": "string"
      },
      "reference": {
        "type": [
          "string",
          "null"
        ]
      },
      "expires_at": {
        "type": "string",
        "format": "date-time"
      },
      "test": {
        "type": "boolean",
        "enum": [
          true
        ]
      }
    }
  },
  "PaymentCreatedEvent": {
    "type": "object",
    "required": [
      "event_id",
      "event_type",
      "timestamp",
      "data",
      "signature"
    ],
    "properties": {
      "event_id": {
        "type": "string",
        "format": "uuid"
      },
      "event_type": {
        "type": "string",
        "enum": [
          "payment.created"
        ]
      },
      "timestamp": {
        "type": "string",
        "format": "date-time"
      },
      "data": {
        "$ref": "contract#/$defs/PaymentCreatedData"
      },
      "signature": {
        "type": "string"
      }
    }
  },
  "PaymentCurrency": {
    "type": "string",
    "enum": [
      "BTC",
      "ETH",
      "SOL"
    ]
  },
  "PaymentExpiredData": {
    "type": "object",
    "required": [
      "payment_id",
      "user_id",
      "amount_usd",
      "currency",
      "expires_at"
    ],
    "properties": {
      "payment_id": {
        "type": "string",
        "format": "uuid"
      },
      "user_id": {
        "type": "string",
        "format": "uuid"
      },
      "amount_usd": {
        "type": "number"
      },
      "currency": {
        "type": "string",
        "enum": [
          "BTC",
          "ETH",
          "SOL"
        ]
      },
      "expires_at": {
        "type": "string",
        "format": "date-time"
      },
      "test": {
        "type": "boolean",
        "enum": [
          true
        ]
      }
    }
  },
  "PaymentExpiredEvent": {
    "type": "object",
    "required": [
      "event_id",
      "event_type",
      "timestamp",
      "data",
      "signature"
    ],
    "properties": {
      "event_id": {
        "type": "string",
        "format": "uuid"
      },
      "event_type": {
        "type": "string",
        "enum": [
          "payment.expired"
        ]
      },
      "timestamp": {
        "type": "string",
        "format": "date-time"
      },
      "data": {
        "$ref": "contract#/$defs/PaymentExpiredData"
      },
      "signature": {
        "type": "string"
      }
    }
  },
  "PaymentFailedData": {
    "type": "object",
    "required": [
      "payment_id",
      "user_id",
      "amount_usd",
      "currency",
      "reason",
      "tx_hash"
    ],
    "properties": {
      "payment_id": {
        "type": "string",
        "format": "uuid"
      },
      "user_id": {
        "type": "string",
        "format": "uuid"
      },
      "amount_usd": {
        "type": "number"
      },
      "currency": {
        "type": "string",
        "enum": [
          "BTC",
          "ETH",
          "SOL"
        ]
      },
      "reason": {
        "type": "string"
      },
      "tx_hash": {
        "type": [
          "string",
          "null"
        ]
      },
      "test": {
        "type": "boolean",
        "enum": [
          true
        ]
      }
    }
  },
  "PaymentFailedEvent": {
    "type": "object",
    "required": [
      "event_id",
      "event_type",
      "timestamp",
      "data",
      "signature"
    ],
    "properties": {
      "event_id": {
        "type": "string",
        "format": "uuid"
      },
      "event_type": {
        "type": "string",
        "enum": [
          "payment.failed"
        ]
      },
      "timestamp": {
        "type": "string",
        "format": "date-time"
      },
      "data": {
        "$ref": "contract#/$defs/PaymentFailedData"
      },
      "signature": {
        "type": "string"
      }
    }
  },
  "PaymentList": {
    "type": "object",
    "required": [
      "payments",
      "total",
      "limit",
      "offset"
    ],
    "properties": {
      "payments": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/Payment"
        }
      },
      "total": {
        "type": "integer"
      },
      "limit": {
        "type": "integer"
      },
      "offset": {
        "type": "integer"
      }
    }
  },
  "PaymentMethod": {
    "type": "object",
    "required": [
      "currency",
      "name",
      "network",
      "is_sandbox",
      "minimum_usd",
      "maximum_usd",
      "confirmations",
      "expiry_minutes",
      "available",
      "unavailable_reason",
      "rate"
    ],
    "properties": {
      "currency": {
        "$ref": "contract#/$defs/PaymentCurrency"
      },
      "name": {
        "type": "string"
      },
      "network": {
        "type": [
          "string",
          "null"
        ]
      },
      "is_sandbox": {
        "type": "boolean"
      },
      "minimum_usd": {
        "type": "number"
      },
      "maximum_usd": {
        "type": "number"
      },
      "confirmations": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/RequiredConfirmations"
        }
      },
      "expiry_minutes": {
        "type": "integer"
      },
      "available": {
        "type": "boolean"
      },
      "unavailable_reason": {
        "type": [
          "string",
          "null"
        ]
      },
      "rate": {
        "type": [
          "number",
          "null"
        ]
      }
    }
  },
  "PaymentMethodList": {
    "type": "object",
    "required": [
      "methods"
    ],
    "properties": {
      "methods": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/PaymentMethod"
        }
      }
    }
  },
  "PaymentPriceSource": {
    "type": "object",
    "required": [
      "name",
      "rate",
      "taken_at"
    ],
    "properties": {
      "name": {
        "type": "string"
      },
      "rate": {
        "type": "number"
      },
      "taken_at": {
        "type": "string",
        "format": "date-time"
      }
    }
  },
  "PaymentRequiredError": {
    "type": "object",
    "required": [
      "error",
      "message",
      "request_id",
      "timestamp",
      "required",
      "available"
    ],
    "properties": {
      "error": {
        "type": "string",
        "enum": [
          "Insufficient credits",
          "Spending limit exceeded"
        ]
      },
      "message": {
        "type": "string"
      },
      "request_id": {
        "type": "string"
      },
      "timestamp": {
        "type": "string",
        "format": "date-time"
      },
      "required": {
        "type": "number"
      },
      "available": {
        "type": "number"
      },
      "limit_type": {
        "type": "string",
        "enum": [
          "per_request",
          "daily",
          "monthly"
        ]
      },
      "limit": {
        "type": "number"
      },
      "spent": {
        "type": "number"
      },
      "resets_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time"
      },
      "affordable_max_tokens": {
        "type": "integer"
      },
      "affordable_max_input_tokens": {
        "type": "integer"
      }
    }
  },
  "PaymentReview": {
    "type": "object",
    "required": [
      "needed",
      "reason",
      "since",
      "resolved_at",
      "resolved_by",
      "note"
    ],
    "properties": {
      "needed": {
        "type": "boolean"
      },
      "reason": {
        "type": [
          "string",
          "null"
        ]
      },
      "since": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time"
      },
      "resolved_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time"
      },
      "resolved_by": {
        "type": [
          "string",
          "null"
        ],
        "format": "uuid"
      },
      "note": {
        "type": [
          "string",
          "null"
        ]
      }
    }
  },
  "PaymentStatus": {
    "type": "string",
    "enum": [
      "created",
      "confirming",
      "confirmed",
      "failed",
      "expired"
    ]
  },
  "PaymentTransfer": {
    "type": "object",
    "required": [
      "tx_hash",
      "amount_crypto",
      "amount_crypto_text",
      "state",
      "confirmations",
      "late",
      "credited_usd",
      "transaction_id",
      "first_seen_at"
    ],
    "properties": {
      "tx_hash": {
        "type": [
          "string",
          "null"
        ]
      },
      "amount_crypto": {
        "type": "number"
      },
      "amount_crypto_text": {
        "type": "string"
      },
      "state": {
        "type": "string",
        "enum": [
          "pending",
          "included",
          "missing",
          "replaced",
          "failed"
        ]
      },
      "confirmations": {
        "type": "integer"
      },
      "late": {
        "type": "boolean"
      },
      "credited_usd": {
        "type": "number"
      },
      "transaction_id": {
        "type": [
          "string",
          "null"
        ]
      },
      "first_seen_at": {
        "type": "string",
        "format": "date-time"
      }
    }
  },
  "PaymentVersion": {
    "type": "string",
    "minLength": 1,
    "maxLength": 64
  },
  "PlaygroundKey": {
    "type": "object",
    "required": [
      "id",
      "key_value",
      "cap_usd",
      "expires_at"
    ],
    "properties": {
      "id": {
        "type": "string",
        "format": "uuid"
      },
      "key_value": {
        "type": "string"
      },
      "cap_usd": {
        "type": "number"
      },
      "expires_at": {
        "type": "string",
        "format": "date-time"
      }
    }
  },
  "Price": {
    "type": "object",
    "required": [
      "name",
      "title",
      "model",
      "base",
      "per_token",
      "per_output_token",
      "per_cached_token",
      "per_cache_write_token",
      "counts",
      "operations"
    ],
    "properties": {
      "name": {
        "type": "string"
      },
      "title": {
        "type": "string"
      },
      "model": {
        "type": [
          "string",
          "null"
        ]
      },
      "base": {
        "type": "number"
      },
      "per_token": {
        "type": [
          "number",
          "null"
        ]
      },
      "per_output_token": {
        "type": [
          "number",
          "null"
        ]
      },
      "per_cached_token": {
        "type": [
          "number",
          "null"
        ]
      },
      "per_cache_write_token": {
        "type": [
          "number",
          "null"
        ]
      },
      "counts": {
        "type": [
          "string",
          "null"
        ],
        "enum": [
          "input",
          "input_and_output",
          null
        ]
      },
      "operations": {
        "type": "array",
        "items": {
          "type": "string"
        }
      }
    }
  },
  "PriceCost": {
    "type": "object",
    "required": [
      "price",
      "requests",
      "cost"
    ],
    "properties": {
      "price": {
        "type": "string"
      },
      "requests": {
        "type": "integer"
      },
      "cost": {
        "type": "number"
      }
    }
  },
  "PriceList": {
    "type": "object",
    "required": [
      "version",
      "currency",
      "prices"
    ],
    "properties": {
      "version": {
        "type": "string"
      },
      "currency": {
        "type": "string",
        "enum": [
          "USD"
        ]
      },
      "prices": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/Price"
        }
      }
    }
  },
  "PricedModel": {
    "type": "object",
    "required": [
      "id",
      "operations"
    ],
    "properties": {
      "id": {
        "type": "string"
      },
      "operations": {
        "type": "array",
        "items": {
          "type": "string",
          "enum": [
            "chat",
            "complete",
            "embed"
          ]
        }
      }
    }
  },
  "ProcessAdvancedRequest": {
    "type": "object",
    "additionalProperties": false,
    "required": [
      "processing_type"
    ],
    "properties": {
      "content": {
        "$ref": "contract#/$defs/SourceContent"
      },
      "document_id": {
        "$ref": "contract#/$defs/SourceDocumentId"
      },
      "processing_type": {
        "$ref": "contract#/$defs/ProcessingType"
      },
      "parameters": {
        "$ref": "contract#/$defs/ProcessingParameters"
      },
      "model": {
        "$ref": "contract#/$defs/AnsweringModel"
      },
      "max_tokens": {
        "$ref": "contract#/$defs/AnswerTokensMax"
      },
      "allow_degraded": {
        "$ref": "contract#/$defs/AllowDegraded"
      }
    }
  },
  "ProcessInputsRequest": {
    "type": "object",
    "additionalProperties": false,
    "required": [
      "inputs",
      "task"
    ],
    "properties": {
      "inputs": {
        "$ref": "contract#/$defs/OmmInputs"
      },
      "task": {
        "$ref": "contract#/$defs/OmmTask"
      },
      "parameters": {
        "$ref": "contract#/$defs/OmmParameters"
      },
      "max_input_tokens": {
        "$ref": "contract#/$defs/OmmInputTokensMax",
        "default": 20000
      },
      "model": {
        "$ref": "contract#/$defs/AnsweringModel"
      },
      "max_tokens": {
        "$ref": "contract#/$defs/AnswerTokensMax"
      },
      "allow_degraded": {
        "$ref": "contract#/$defs/AllowDegraded"
      }
    }
  },
  "ProcessedContent": {
    "type": "object",
    "required": [
      "processing_type",
      "result",
      "model",
      "truncated",
      "dropped",
      "usage"
    ],
    "properties": {
      "processing_type": {
        "$ref": "contract#/$defs/ProcessingType"
      },
      "result": {
        "$ref": "contract#/$defs/ProcessingResult"
      },
      "model": {
        "$ref": "contract#/$defs/AnsweredBy"
      },
      "truncated": {
        "$ref": "contract#/$defs/AnswerTruncated"
      },
      "dropped": {
        "$ref": "contract#/$defs/AnswerDropped"
      },
      "usage": {
        "$ref": "contract#/$defs/AnswerUsage"
      }
    }
  },
  "ProcessedContentResponse": {
    "type": "object",
    "required": [
      "data",
      "metadata"
    ],
    "properties": {
      "data": {
        "$ref": "contract#/$defs/ProcessedContent"
      },
      "metadata": {
        "$ref": "contract#/$defs/ResponseMetadata"
      }
    }
  },
  "ProcessingLabel": {
    "type": "object",
    "additionalProperties": false,
    "required": [
      "name"
    ],
    "properties": {
      "name": {
        "type": "string",
        "minLength": 1,
        "maxLength": 100
      },
      "examples": {
        "type": "array",
        "maxItems": 50,
        "default": [],
        "items": {
          "type": "string",
          "minLength": 1,
          "maxLength": 2000
        }
      }
    }
  },
  "ProcessingParameters": {
    "type": "object",
    "additionalProperties": false,
    "properties": {
      "sentences": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 1,
        "maximum": 100
      },
      "keywords_max": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 1,
        "maximum": 100
      },
      "entity_types": {
        "type": [
          "array",
          "null"
        ],
        "minItems": 1,
        "maxItems": 12,
        "items": {
          "$ref": "contract#/$defs/EntityType"
        }
      },
      "labels": {
        "type": [
          "array",
          "null"
        ],
        "minItems": 2,
        "maxItems": 50,
        "items": {
          "$ref": "contract#/$defs/ProcessingLabel"
        }
      },
      "level_max": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 1,
        "maximum": 6
      },
      "target_language": {
        "type": [
          "string",
          "null"
        ],
        "minLength": 2,
        "maxLength": 35,
        "pattern": "^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$",
        "x-fault": "must be a language tag such as de or pt-BR"
      },
      "source_language": {
        "type": [
          "string",
          "null"
        ],
        "minLength": 2,
        "maxLength": 35,
        "pattern": "^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$",
        "x-fault": "must be a language tag such as de or pt-BR"
      },
      "style": {
        "type": [
          "string",
          "null"
        ],
        "enum": [
          "formal",
          "neutral",
          "informal",
          "friendly",
          "simple",
          null
        ]
      },
      "length": {
        "type": [
          "string",
          "null"
        ],
        "enum": [
          "shorter",
          "same",
          "longer",
          null
        ]
      },
      "instruction": {
        "type": [
          "string",
          "null"
        ],
        "minLength": 1,
        "maxLength": 2000
      }
    }
  },
  "ProcessingResult": {
    "anyOf": [
      {
        "$ref": "contract#/$defs/SummarizeResult"
      },
      {
        "$ref": "contract#/$defs/KeywordsResult"
      },
      {
        "$ref": "contract#/$defs/EntitiesResult"
      },
      {
        "$ref": "contract#/$defs/ClassifyResult"
      },
      {
        "$ref": "contract#/$defs/SentimentResult"
      },
      {
        "$ref": "contract#/$defs/LanguageResult"
      },
      {
        "$ref": "contract#/$defs/ReadabilityResult"
      },
      {
        "$ref": "contract#/$defs/StatisticsResult"
      },
      {
        "$ref": "contract#/$defs/OutlineResult"
      },
      {
        "$ref": "contract#/$defs/TablesResult"
      },
      {
        "$ref": "contract#/$defs/KeyValuesResult"
      },
      {
        "$ref": "contract#/$defs/TranslateResult"
      },
      {
        "$ref": "contract#/$defs/RewriteResult"
      }
    ]
  },
  "ProcessingType": {
    "type": "string",
    "enum": [
      "summarize",
      "keywords",
      "entities",
      "classify",
      "sentiment",
      "language",
      "readability",
      "statistics",
      "outline",
      "tables",
      "key_values",
      "translate",
      "rewrite"
    ]
  },
  "ProfessionalAnalysis": {
    "type": "object",
    "required": [
      "readability",
      "tone",
      "structure",
      "issues",
      "model",
      "truncated",
      "dropped",
      "usage"
    ],
    "properties": {
      "readability": {
        "$ref": "contract#/$defs/ProfessionalMetrics"
      },
      "tone": {
        "$ref": "contract#/$defs/ProfessionalTone"
      },
      "structure": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/ProfessionalHeading"
        }
      },
      "issues": {
        "type": [
          "array",
          "null"
        ],
        "items": {
          "$ref": "contract#/$defs/ProfessionalIssue"
        }
      },
      "model": {
        "$ref": "contract#/$defs/AnsweredBy"
      },
      "truncated": {
        "$ref": "contract#/$defs/AnswerTruncated"
      },
      "dropped": {
        "$ref": "contract#/$defs/AnswerDropped"
      },
      "usage": {
        "$ref": "contract#/$defs/AnswerUsage"
      }
    }
  },
  "ProfessionalAnalysisResponse": {
    "type": "object",
    "required": [
      "data",
      "metadata"
    ],
    "properties": {
      "data": {
        "$ref": "contract#/$defs/ProfessionalAnalysis"
      },
      "metadata": {
        "$ref": "contract#/$defs/ResponseMetadata"
      }
    }
  },
  "ProfessionalChange": {
    "type": "object",
    "required": [
      "start",
      "end",
      "before",
      "after",
      "reason"
    ],
    "properties": {
      "start": {
        "type": "integer"
      },
      "end": {
        "type": "integer"
      },
      "before": {
        "type": "string"
      },
      "after": {
        "type": "string"
      },
      "reason": {
        "type": "string"
      }
    }
  },
  "ProfessionalDocument": {
    "type": "object",
    "required": [
      "title",
      "sections",
      "text",
      "to_fill_in",
      "model",
      "truncated",
      "usage"
    ],
    "properties": {
      "title": {
        "type": "string"
      },
      "sections": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/ProfessionalSection"
        }
      },
      "text": {
        "type": "string"
      },
      "to_fill_in": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/QuotedSentence"
        }
      },
      "model": {
        "$ref": "contract#/$defs/AnsweredBy"
      },
      "truncated": {
        "$ref": "contract#/$defs/AnswerTruncated"
      },
      "usage": {
        "$ref": "contract#/$defs/AnswerUsage"
      }
    }
  },
  "ProfessionalDocumentResponse": {
    "type": "object",
    "required": [
      "data",
      "metadata"
    ],
    "properties": {
      "data": {
        "$ref": "contract#/$defs/ProfessionalDocument"
      },
      "metadata": {
        "$ref": "contract#/$defs/ResponseMetadata"
      }
    }
  },
  "ProfessionalHeading": {
    "type": "object",
    "required": [
      "title",
      "level",
      "start",
      "end"
    ],
    "properties": {
      "title": {
        "type": "string"
      },
      "level": {
        "type": "integer"
      },
      "start": {
        "type": "integer"
      },
      "end": {
        "type": "integer"
      }
    }
  },
  "ProfessionalIssue": {
    "type": "object",
    "required": [
      "type",
      "start",
      "end",
      "before",
      "after",
      "reason"
    ],
    "properties": {
      "type": {
        "type": "string",
        "enum": [
          "long_sentence",
          "passive_voice",
          "wordy_phrase",
          "repeated_word",
          "weasel_word",
          "adverb",
          "cliche",
          "duplicate_sentence",
          "spacing",
          "unclear",
          "grammar",
          "other"
        ]
      },
      "start": {
        "type": "integer"
      },
      "end": {
        "type": "integer"
      },
      "before": {
        "type": "string"
      },
      "after": {
        "type": [
          "string",
          "null"
        ]
      },
      "reason": {
        "type": "string"
      }
    }
  },
  "ProfessionalMetrics": {
    "type": "object",
    "required": [
      "characters",
      "words",
      "sentences",
      "paragraphs",
      "average_sentence_words",
      "average_word_syllables",
      "reading_time_seconds",
      "flesch_reading_ease",
      "flesch_kincaid_grade",
      "reading_level"
    ],
    "properties": {
      "characters": {
        "type": "integer"
      },
      "words": {
        "type": "integer"
      },
      "sentences": {
        "type": "integer"
      },
      "paragraphs": {
        "type": "integer"
      },
      "average_sentence_words": {
        "type": "number"
      },
      "average_word_syllables": {
        "type": "number"
      },
      "reading_time_seconds": {
        "type": "integer"
      },
      "flesch_reading_ease": {
        "type": [
          "number",
          "null"
        ]
      },
      "flesch_kincaid_grade": {
        "type": [
          "number",
          "null"
        ]
      },
      "reading_level": {
        "type": [
          "string",
          "null"
        ],
        "enum": [
          "very_easy",
          "easy",
          "standard",
          "difficult",
          "very_difficult",
          null
        ]
      }
    }
  },
  "ProfessionalSection": {
    "type": "object",
    "required": [
      "heading",
      "text"
    ],
    "properties": {
      "heading": {
        "type": "string"
      },
      "text": {
        "type": "string"
      }
    }
  },
  "ProfessionalTone": {
    "type": [
      "object",
      "null"
    ],
    "required": [
      "formality",
      "sentiment",
      "signals"
    ],
    "properties": {
      "formality": {
        "type": "string",
        "enum": [
          "informal",
          "neutral",
          "formal"
        ]
      },
      "sentiment": {
        "type": "string",
        "enum": [
          "negative",
          "neutral",
          "positive"
        ]
      },
      "signals": {
        "type": "array",
        "items": {
          "type": "string"
        }
      }
    }
  },
  "PromptPart": {
    "type": [
      "string",
      "integer",
      "array"
    ],
    "minimum": 0,
    "minItems": 1,
    "maxItems": 300000,
    "items": {
      "type": "integer",
      "minimum": 0
    }
  },
  "ProvePasswordRequest": {
    "type": "object",
    "additionalProperties": false,
    "required": [
      "password"
    ],
    "properties": {
      "password": {
        "type": "string",
        "minLength": 1,
        "maxLength": 128
      }
    }
  },
  "PublicPriceList": {
    "type": "object",
    "required": [
      "version",
      "currency",
      "prices",
      "models"
    ],
    "properties": {
      "version": {
        "type": "string"
      },
      "currency": {
        "type": "string",
        "enum": [
          "USD"
        ]
      },
      "prices": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/Price"
        }
      },
      "models": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/PricedModel"
        }
      }
    }
  },
  "QueryMemoriesRequest": {
    "type": "object",
    "additionalProperties": false,
    "properties": {
      "namespace": {
        "type": "string",
        "minLength": 1,
        "maxLength": 100
      },
      "keys": {
        "type": "array",
        "minItems": 1,
        "maxItems": 100,
        "items": {
          "type": "string",
          "minLength": 1,
          "maxLength": 255
        }
      },
      "key_prefix": {
        "type": "string",
        "minLength": 1,
        "maxLength": 255
      },
      "metadata": {
        "type": "object",
        "maxProperties": 200,
        "additionalProperties": true
      },
      "limit": {
        "type": "integer",
        "minimum": 1,
        "maximum": 100,
        "default": 20
      },
      "offset": {
        "type": "integer",
        "minimum": 0,
        "maximum": 100000,
        "default": 0
      },
      "sort": {
        "type": "string",
        "enum": [
          "created_at",
          "updated_at",
          "expires_at",
          "key"
        ],
        "default": "created_at"
      },
      "order": {
        "type": "string",
        "enum": [
          "asc",
          "desc"
        ],
        "default": "desc"
      },
      "start_date": {
        "type": "string",
        "format": "date-or-date-time"
      },
      "end_date": {
        "type": "string",
        "format": "date-or-date-time"
      }
    }
  },
  "QuotedSentence": {
    "type": "object",
    "required": [
      "text",
      "start",
      "end"
    ],
    "properties": {
      "text": {
        "type": "string"
      },
      "start": {
        "type": "integer"
      },
      "end": {
        "type": "integer"
      }
    }
  },
  "RagAnswer": {
    "type": "object",
    "required": [
      "results",
      "total",
      "text",
      "answer",
      "found",
      "citations",
      "model",
      "finish_reason",
      "usage"
    ],
    "properties": {
      "results": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/RagChunk"
        }
      },
      "total": {
        "type": "integer",
        "deprecated": true
      },
      "text": {
        "type": "string"
      },
      "answer": {
        "type": "string",
        "deprecated": true
      },
      "found": {
        "type": "boolean"
      },
      "citations": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/RagCitation"
        }
      },
      "model": {
        "type": [
          "string",
          "null"
        ]
      },
      "finish_reason": {
        "type": [
          "string",
          "null"
        ]
      },
      "usage": {
        "$ref": "contract#/$defs/AnswerUsage"
      }
    }
  },
  "RagAnswerResponse": {
    "type": "object",
    "required": [
      "data",
      "metadata"
    ],
    "properties": {
      "data": {
        "$ref": "contract#/$defs/RagAnswer"
      },
      "metadata": {
        "$ref": "contract#/$defs/ResponseMetadata"
      }
    }
  },
  "RagChunk": {
    "type": "object",
    "required": [
      "chunk_id",
      "document_id",
      "collection",
      "score",
      "text",
      "start",
      "end",
      "heading",
      "metadata"
    ],
    "properties": {
      "chunk_id": {
        "type": "string",
        "format": "uuid"
      },
      "document_id": {
        "type": "string"
      },
      "collection": {
        "type": "string"
      },
      "score": {
        "type": "number"
      },
      "text": {
        "type": "string"
      },
      "start": {
        "type": "integer"
      },
      "end": {
        "type": "integer"
      },
      "heading": {
        "type": [
          "string",
          "null"
        ]
      },
      "metadata": {
        "type": "object",
        "maxProperties": 200,
        "additionalProperties": true
      }
    }
  },
  "RagCitation": {
    "type": "object",
    "required": [
      "index",
      "document_id",
      "chunk_id",
      "quote",
      "start",
      "end"
    ],
    "properties": {
      "index": {
        "type": "integer"
      },
      "document_id": {
        "type": "string"
      },
      "chunk_id": {
        "type": "string",
        "format": "uuid"
      },
      "quote": {
        "type": "string"
      },
      "start": {
        "type": "integer"
      },
      "end": {
        "type": "integer"
      }
    }
  },
  "RagCollection": {
    "type": "string",
    "minLength": 1,
    "maxLength": 100
  },
  "RagCollectionStats": {
    "type": "object",
    "required": [
      "collection",
      "documents",
      "chunks"
    ],
    "properties": {
      "collection": {
        "type": "string"
      },
      "documents": {
        "type": "integer"
      },
      "chunks": {
        "type": "integer"
      }
    }
  },
  "RagDeltaEvent": {
    "type": "object",
    "required": [
      "type",
      "text"
    ],
    "properties": {
      "type": {
        "type": "string",
        "enum": [
          "delta"
        ]
      },
      "text": {
        "type": "string"
      }
    }
  },
  "RagDocument": {
    "type": "object",
    "required": [
      "document_id",
      "collection",
      "chunks",
      "tokens",
      "bytes",
      "language",
      "metadata",
      "created_at",
      "updated_at",
      "content"
    ],
    "properties": {
      "document_id": {
        "type": "string"
      },
      "collection": {
        "type": "string"
      },
      "chunks": {
        "type": "integer"
      },
      "tokens": {
        "type": "integer"
      },
      "bytes": {
        "type": "integer"
      },
      "language": {
        "type": [
          "string",
          "null"
        ]
      },
      "metadata": {
        "type": "object",
        "maxProperties": 200,
        "additionalProperties": true
      },
      "created_at": {
        "type": "string",
        "format": "date-time"
      },
      "updated_at": {
        "type": "string",
        "format": "date-time"
      },
      "content": {
        "type": "string"
      }
    }
  },
  "RagDocumentEntry": {
    "type": "object",
    "required": [
      "document_id",
      "collection",
      "chunks",
      "tokens",
      "bytes",
      "language",
      "metadata",
      "created_at",
      "updated_at"
    ],
    "properties": {
      "document_id": {
        "type": "string"
      },
      "collection": {
        "type": "string"
      },
      "chunks": {
        "type": "integer"
      },
      "tokens": {
        "type": "integer"
      },
      "bytes": {
        "type": "integer"
      },
      "language": {
        "type": [
          "string",
          "null"
        ]
      },
      "metadata": {
        "type": "object",
        "maxProperties": 200,
        "additionalProperties": true
      },
      "created_at": {
        "type": "string",
        "format": "date-time"
      },
      "updated_at": {
        "type": "string",
        "format": "date-time"
      }
    }
  },
  "RagDocumentId": {
    "type": "string",
    "minLength": 1,
    "maxLength": 128,
    "pattern": "^[A-Za-z0-9_][A-Za-z0-9_.:@~-]*$",
    "x-fault": "must begin with a letter A to Z, a digit or _ and go on with these or .:@~-"
  },
  "RagDocumentList": {
    "type": "object",
    "required": [
      "documents",
      "total",
      "limit",
      "offset",
      "truncated"
    ],
    "properties": {
      "documents": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/RagDocumentEntry"
        }
      },
      "total": {
        "type": "integer"
      },
      "limit": {
        "type": "integer"
      },
      "offset": {
        "type": "integer"
      },
      "truncated": {
        "type": "boolean"
      }
    }
  },
  "RagDocumentListResponse": {
    "type": "object",
    "required": [
      "data",
      "metadata"
    ],
    "properties": {
      "data": {
        "$ref": "contract#/$defs/RagDocumentList"
      },
      "metadata": {
        "$ref": "contract#/$defs/ResponseMetadata"
      }
    }
  },
  "RagDocumentResponse": {
    "type": "object",
    "required": [
      "data",
      "metadata"
    ],
    "properties": {
      "data": {
        "$ref": "contract#/$defs/RagDocument"
      },
      "metadata": {
        "$ref": "contract#/$defs/ResponseMetadata"
      }
    }
  },
  "RagDoneEvent": {
    "type": "object",
    "required": [
      "type",
      "data",
      "cost"
    ],
    "properties": {
      "type": {
        "type": "string",
        "enum": [
          "done"
        ]
      },
      "data": {
        "$ref": "contract#/$defs/RagAnswer"
      },
      "cost": {
        "type": "number"
      }
    }
  },
  "RagEvent": {
    "anyOf": [
      {
        "$ref": "contract#/$defs/RagStartEvent"
      },
      {
        "$ref": "contract#/$defs/RagDeltaEvent"
      },
      {
        "$ref": "contract#/$defs/RagDoneEvent"
      },
      {
        "$ref": "contract#/$defs/StreamError"
      }
    ]
  },
  "RagFilter": {
    "type": "object",
    "maxProperties": 100,
    "additionalProperties": true
  },
  "RagMinScore": {
    "type": "number",
    "minimum": 0,
    "maximum": 1
  },
  "RagRetrieval": {
    "type": "object",
    "required": [
      "results",
      "total"
    ],
    "properties": {
      "results": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/RagChunk"
        }
      },
      "total": {
        "type": "integer",
        "deprecated": true
      }
    }
  },
  "RagRetrievalResponse": {
    "type": "object",
    "required": [
      "data",
      "metadata"
    ],
    "properties": {
      "data": {
        "$ref": "contract#/$defs/RagRetrieval"
      },
      "metadata": {
        "$ref": "contract#/$defs/ResponseMetadata"
      }
    }
  },
  "RagStartEvent": {
    "type": "object",
    "required": [
      "type",
      "data"
    ],
    "properties": {
      "type": {
        "type": "string",
        "enum": [
          "start"
        ]
      },
      "data": {
        "$ref": "contract#/$defs/RagRetrieval"
      }
    }
  },
  "RagStats": {
    "type": "object",
    "required": [
      "documents",
      "chunks",
      "tokens",
      "bytes",
      "collections",
      "oldest_at",
      "newest_at"
    ],
    "properties": {
      "documents": {
        "type": "integer"
      },
      "chunks": {
        "type": "integer"
      },
      "tokens": {
        "type": "integer"
      },
      "bytes": {
        "type": "integer"
      },
      "collections": {
        "type": "array",
        "maxItems": 1000,
        "items": {
          "$ref": "contract#/$defs/RagCollectionStats"
        }
      },
      "oldest_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time"
      },
      "newest_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time"
      }
    }
  },
  "RagStatsResponse": {
    "type": "object",
    "required": [
      "data",
      "metadata"
    ],
    "properties": {
      "data": {
        "$ref": "contract#/$defs/RagStats"
      },
      "metadata": {
        "$ref": "contract#/$defs/ResponseMetadata"
      }
    }
  },
  "RateLimitError": {
    "type": "object",
    "required": [
      "error",
      "message",
      "request_id",
      "timestamp",
      "retry_after",
      "limit",
      "window"
    ],
    "properties": {
      "error": {
        "type": "string"
      },
      "message": {
        "type": "string"
      },
      "request_id": {
        "type": "string"
      },
      "timestamp": {
        "type": "string",
        "format": "date-time"
      },
      "retry_after": {
        "type": "integer"
      },
      "limit": {
        "type": "integer"
      },
      "window": {
        "type": "string",
        "pattern": "^(second|minute|hour|day|[0-9]+s)$",
        "x-fault": "must be second, minute, hour, day or a number of seconds such as 900s"
      }
    }
  },
  "RateLimitExceededData": {
    "type": "object",
    "required": [
      "user_id",
      "access_key_id",
      "window",
      "limit",
      "retry_after",
      "request_route"
    ],
    "properties": {
      "user_id": {
        "type": "string",
        "format": "uuid"
      },
      "access_key_id": {
        "type": [
          "string",
          "null"
        ],
        "format": "uuid"
      },
      "window": {
        "type": "string"
      },
      "limit": {
        "type": "number"
      },
      "retry_after": {
        "type": "integer"
      },
      "request_route": {
        "type": [
          "string",
          "null"
        ]
      },
      "test": {
        "type": "boolean",
        "enum": [
          true
        ]
      }
    }
  },
  "RateLimitExceededEvent": {
    "type": "object",
    "required": [
      "event_id",
      "event_type",
      "timestamp",
      "data",
      "signature"
    ],
    "properties": {
      "event_id": {
        "type": "string",
        "format": "uuid"
      },
      "event_type": {
        "type": "string",
        "enum": [
          "rate_limit.exceeded"
        ]
      },
      "timestamp": {
        "type": "string",
        "format": "date-time"
      },
      "data": {
        "$ref": "contract#/$defs/RateLimitExceededData"
      },
      "signature": {
        "type": "string"
      }
    }
  },
  "RatesInForce": {
    "type": "object",
    "required": [
      "requests_per_second",
      "requests_per_minute",
      "requests_per_hour",
      "requests_per_day"
    ],
    "properties": {
      "requests_per_second": {
        "type": [
          "number",
          "null"
        ]
      },
      "requests_per_minute": {
        "type": [
          "number",
          "null"
        ]
      },
      "requests_per_hour": {
        "type": [
          "number",
          "null"
        ]
      },
      "requests_per_day": {
        "type": [
          "number",
          "null"
        ]
      }
    }
  },
  "ReadabilityResult": {
    "type": "object",
    "required": [
      "type",
      "readability"
    ],
    "properties": {
      "type": {
        "type": "string",
        "enum": [
          "readability"
        ]
      },
      "readability": {
        "$ref": "contract#/$defs/TextReadability"
      }
    }
  },
  "Readiness": {
    "type": "object",
    "required": [
      "status",
      "version",
      "timestamp",
      "checks"
    ],
    "properties": {
      "status": {
        "type": "string",
        "enum": [
          "ok",
          "unavailable"
        ]
      },
      "version": {
        "type": "string"
      },
      "timestamp": {
        "type": "string",
        "format": "date-time"
      },
      "checks": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/ReadinessCheck"
        }
      }
    }
  },
  "ReadinessCheck": {
    "type": "object",
    "required": [
      "name",
      "status"
    ],
    "properties": {
      "name": {
        "type": "string"
      },
      "status": {
        "type": "string",
        "enum": [
          "ok",
          "unavailable"
        ]
      },
      "detail": {
        "type": "string"
      }
    }
  },
  "ReasoningTextDeltaEvent": {
    "type": "object",
    "additionalProperties": true,
    "required": [
      "type",
      "item_id",
      "output_index",
      "content_index",
      "delta",
      "sequence_number"
    ],
    "properties": {
      "type": {
        "type": "string",
        "enum": [
          "response.reasoning_text.delta"
        ]
      },
      "item_id": {
        "type": "string"
      },
      "output_index": {
        "type": "integer"
      },
      "content_index": {
        "type": "integer"
      },
      "delta": {
        "type": "string"
      },
      "sequence_number": {
        "type": "integer"
      }
    }
  },
  "ReasoningTextDoneEvent": {
    "type": "object",
    "additionalProperties": true,
    "required": [
      "type",
      "item_id",
      "output_index",
      "content_index",
      "text",
      "sequence_number"
    ],
    "properties": {
      "type": {
        "type": "string",
        "enum": [
          "response.reasoning_text.done"
        ]
      },
      "item_id": {
        "type": "string"
      },
      "output_index": {
        "type": "integer"
      },
      "content_index": {
        "type": "integer"
      },
      "text": {
        "type": "string"
      },
      "sequence_number": {
        "type": "integer"
      }
    }
  },
  "ReasoningTextPart": {
    "type": "object",
    "maxProperties": 200,
    "additionalProperties": true,
    "required": [
      "type",
      "text"
    ],
    "properties": {
      "type": {
        "type": "string",
        "enum": [
          "reasoning_text"
        ]
      },
      "text": {
        "type": "string"
      }
    }
  },
  "Receipt": {
    "type": "object",
    "required": [
      "request_id",
      "client_request_id",
      "operation",
      "key_id",
      "status",
      "outcome",
      "model",
      "price",
      "price_version",
      "input_tokens",
      "output_tokens",
      "cached_tokens",
      "cache_write_tokens",
      "reserved",
      "charged",
      "released",
      "latency_ms",
      "transaction_id",
      "created_at",
      "completed_at"
    ],
    "properties": {
      "request_id": {
        "type": "string"
      },
      "client_request_id": {
        "type": [
          "string",
          "null"
        ]
      },
      "operation": {
        "type": "string"
      },
      "key_id": {
        "type": [
          "string",
          "null"
        ],
        "format": "uuid"
      },
      "status": {
        "type": [
          "integer",
          "null"
        ]
      },
      "outcome": {
        "type": "string",
        "enum": [
          "in_flight",
          "settled",
          "released",
          "refused",
          "expired"
        ]
      },
      "model": {
        "type": [
          "string",
          "null"
        ]
      },
      "price": {
        "type": [
          "string",
          "null"
        ]
      },
      "price_version": {
        "type": [
          "string",
          "null"
        ]
      },
      "input_tokens": {
        "type": "integer"
      },
      "output_tokens": {
        "type": "integer"
      },
      "cached_tokens": {
        "type": "integer"
      },
      "cache_write_tokens": {
        "type": "integer"
      },
      "reserved": {
        "type": "number"
      },
      "charged": {
        "type": "number"
      },
      "released": {
        "type": "number"
      },
      "latency_ms": {
        "type": [
          "integer",
          "null"
        ]
      },
      "transaction_id": {
        "type": [
          "string",
          "null"
        ],
        "format": "uuid"
      },
      "created_at": {
        "type": "string",
        "format": "date-time"
      },
      "completed_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time"
      }
    }
  },
  "Reconciliation": {
    "type": "object",
    "required": [
      "accounts",
      "balance_usd",
      "ledger_usd",
      "difference_usd",
      "open_reservations",
      "mismatches",
      "checked_at"
    ],
    "properties": {
      "accounts": {
        "type": "integer"
      },
      "balance_usd": {
        "type": "number"
      },
      "ledger_usd": {
        "type": "number"
      },
      "difference_usd": {
        "type": "number"
      },
      "open_reservations": {
        "type": "integer"
      },
      "mismatches": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/ReconciliationMismatch"
        }
      },
      "checked_at": {
        "type": "string",
        "format": "date-time"
      }
    }
  },
  "ReconciliationMismatch": {
    "type": "object",
    "required": [
      "user_id",
      "balance_usd",
      "ledger_usd",
      "difference_usd"
    ],
    "properties": {
      "user_id": {
        "type": "string",
        "format": "uuid"
      },
      "balance_usd": {
        "type": "number"
      },
      "ledger_usd": {
        "type": "number"
      },
      "difference_usd": {
        "type": "number"
      }
    }
  },
  "RefusalDeltaEvent": {
    "type": "object",
    "additionalProperties": true,
    "required": [
      "type",
      "item_id",
      "output_index",
      "content_index",
      "delta",
      "sequence_number"
    ],
    "properties": {
      "type": {
        "type": "string",
        "enum": [
          "response.refusal.delta"
        ]
      },
      "item_id": {
        "type": "string"
      },
      "output_index": {
        "type": "integer"
      },
      "content_index": {
        "type": "integer"
      },
      "delta": {
        "type": "string"
      },
      "sequence_number": {
        "type": "integer"
      }
    }
  },
  "RefusalDoneEvent": {
    "type": "object",
    "additionalProperties": true,
    "required": [
      "type",
      "item_id",
      "output_index",
      "content_index",
      "refusal",
      "sequence_number"
    ],
    "properties": {
      "type": {
        "type": "string",
        "enum": [
          "response.refusal.done"
        ]
      },
      "item_id": {
        "type": "string"
      },
      "output_index": {
        "type": "integer"
      },
      "content_index": {
        "type": "integer"
      },
      "refusal": {
        "type": "string"
      },
      "sequence_number": {
        "type": "integer"
      }
    }
  },
  "RefusalPart": {
    "type": "object",
    "maxProperties": 20,
    "additionalProperties": true,
    "required": [
      "type",
      "refusal"
    ],
    "properties": {
      "type": {
        "type": "string",
        "enum": [
          "refusal"
        ]
      },
      "refusal": {
        "type": "string"
      }
    }
  },
  "RegisterRequest": {
    "type": "object",
    "additionalProperties": false,
    "required": [
      "email",
      "password",
      "username"
    ],
    "properties": {
      "email": {
        "type": "string",
        "format": "email",
        "maxLength": 254
      },
      "password": {
        "type": "string",
        "minLength": 8,
        "maxLength": 128,
        "x-fault": "must be at least 8 characters long; 12 or more are recommended"
      },
      "username": {
        "type": "string",
        "minLength": 3,
        "maxLength": 32,
        "format": "username"
      }
    }
  },
  "RejectUpgradeRequest": {
    "type": "object",
    "additionalProperties": false,
    "required": [
      "note"
    ],
    "properties": {
      "note": {
        "type": "string",
        "minLength": 1,
        "maxLength": 500
      }
    }
  },
  "ReplayDeliveriesRequest": {
    "type": "object",
    "additionalProperties": false,
    "required": [
      "since"
    ],
    "properties": {
      "since": {
        "type": "string",
        "format": "date-or-date-time"
      }
    }
  },
  "ReplayedDeliveries": {
    "type": "object",
    "required": [
      "replayed"
    ],
    "properties": {
      "replayed": {
        "type": "integer"
      }
    }
  },
  "RequestList": {
    "type": "object",
    "required": [
      "requests",
      "next_cursor"
    ],
    "properties": {
      "requests": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/Receipt"
        }
      },
      "next_cursor": {
        "type": [
          "string",
          "null"
        ]
      }
    }
  },
  "RequestPasswordResetRequest": {
    "type": "object",
    "additionalProperties": false,
    "required": [
      "email"
    ],
    "properties": {
      "email": {
        "type": "string",
        "format": "email",
        "maxLength": 254
      }
    }
  },
  "RequiredConfirmations": {
    "type": "object",
    "required": [
      "up_to_usd",
      "confirmations"
    ],
    "properties": {
      "up_to_usd": {
        "type": [
          "number",
          "null"
        ]
      },
      "confirmations": {
        "type": "integer"
      }
    }
  },
  "ResearchScholarRequest": {
    "type": "object",
    "additionalProperties": false,
    "required": [
      "question"
    ],
    "properties": {
      "question": {
        "type": "string",
        "minLength": 1,
        "maxLength": 10000
      },
      "collection": {
        "$ref": "contract#/$defs/RagCollection"
      },
      "filter": {
        "$ref": "contract#/$defs/RagFilter"
      },
      "min_score": {
        "$ref": "contract#/$defs/RagMinScore"
      },
      "top_k": {
        "type": "integer",
        "minimum": 1,
        "maximum": 50,
        "default": 8
      },
      "findings": {
        "type": "integer",
        "minimum": 1,
        "maximum": 20,
        "default": 5
      },
      "model": {
        "$ref": "contract#/$defs/AnsweringModel"
      },
      "max_tokens": {
        "$ref": "contract#/$defs/AnswerTokensMax"
      },
      "allow_degraded": {
        "$ref": "contract#/$defs/AllowDegraded"
      }
    }
  },
  "ResetPasswordRequest": {
    "type": "object",
    "additionalProperties": false,
    "required": [
      "token",
      "new_password"
    ],
    "properties": {
      "token": {
        "type": "string",
        "minLength": 1,
        "maxLength": 400
      },
      "new_password": {
        "type": "string",
        "minLength": 8,
        "maxLength": 128,
        "x-fault": "must be at least 8 characters long; 12 or more are recommended"
      }
    }
  },
  "ResolvePaymentRequest": {
    "type": "object",
    "additionalProperties": false,
    "required": [
      "note",
      "expected_version"
    ],
    "properties": {
      "note": {
        "type": "string",
        "minLength": 1,
        "maxLength": 500
      },
      "expected_version": {
        "$ref": "contract#/$defs/PaymentVersion"
      },
      "adjust_usd": {
        "type": "number",
        "minimum": -1000000,
        "maximum": 1000000,
        "default": 0
      }
    }
  },
  "ResponseCompletedEvent": {
    "type": "object",
    "additionalProperties": true,
    "required": [
      "type",
      "response",
      "sequence_number"
    ],
    "properties": {
      "type": {
        "type": "string",
        "enum": [
          "response.completed"
        ]
      },
      "response": {
        "$ref": "contract#/$defs/ModelResponse"
      },
      "sequence_number": {
        "type": "integer"
      }
    }
  },
  "ResponseContentPart": {
    "$ref": "contract#/$defs/OtherContentPart"
  },
  "ResponseCreatedEvent": {
    "type": "object",
    "additionalProperties": true,
    "required": [
      "type",
      "response",
      "sequence_number"
    ],
    "properties": {
      "type": {
        "type": "string",
        "enum": [
          "response.created"
        ]
      },
      "response": {
        "$ref": "contract#/$defs/ModelResponse"
      },
      "sequence_number": {
        "type": "integer"
      }
    }
  },
  "ResponseErrorEvent": {
    "type": "object",
    "additionalProperties": true,
    "required": [
      "type",
      "message",
      "sequence_number"
    ],
    "properties": {
      "type": {
        "type": "string",
        "enum": [
          "error"
        ]
      },
      "code": {
        "type": [
          "string",
          "null"
        ]
      },
      "message": {
        "type": "string"
      },
      "param": {
        "type": [
          "string",
          "null"
        ]
      },
      "sequence_number": {
        "type": "integer"
      }
    }
  },
  "ResponseEvent": {
    "oneOf": [
      {
        "$ref": "contract#/$defs/ResponseCreatedEvent"
      },
      {
        "$ref": "contract#/$defs/ResponseInProgressEvent"
      },
      {
        "$ref": "contract#/$defs/OutputItemAddedEvent"
      },
      {
        "$ref": "contract#/$defs/OutputItemDoneEvent"
      },
      {
        "$ref": "contract#/$defs/ContentPartAddedEvent"
      },
      {
        "$ref": "contract#/$defs/ContentPartDoneEvent"
      },
      {
        "$ref": "contract#/$defs/OutputTextDeltaEvent"
      },
      {
        "$ref": "contract#/$defs/OutputTextDoneEvent"
      },
      {
        "$ref": "contract#/$defs/RefusalDeltaEvent"
      },
      {
        "$ref": "contract#/$defs/RefusalDoneEvent"
      },
      {
        "$ref": "contract#/$defs/ReasoningTextDeltaEvent"
      },
      {
        "$ref": "contract#/$defs/ReasoningTextDoneEvent"
      },
      {
        "$ref": "contract#/$defs/FunctionCallArgumentsDeltaEvent"
      },
      {
        "$ref": "contract#/$defs/FunctionCallArgumentsDoneEvent"
      },
      {
        "$ref": "contract#/$defs/ResponseCompletedEvent"
      },
      {
        "$ref": "contract#/$defs/ResponseIncompleteEvent"
      },
      {
        "$ref": "contract#/$defs/ResponseFailedEvent"
      },
      {
        "$ref": "contract#/$defs/ResponseErrorEvent"
      }
    ]
  },
  "ResponseFailedEvent": {
    "type": "object",
    "additionalProperties": true,
    "required": [
      "type",
      "response",
      "sequence_number"
    ],
    "properties": {
      "type": {
        "type": "string",
        "enum": [
          "response.failed"
        ]
      },
      "response": {
        "$ref": "contract#/$defs/ModelResponse"
      },
      "sequence_number": {
        "type": "integer"
      }
    }
  },
  "ResponseFormat": {
    "type": [
      "object",
      "null"
    ],
    "maxProperties": 20,
    "additionalProperties": true,
    "required": [
      "type"
    ],
    "properties": {
      "type": {
        "type": "string",
        "enum": [
          "text",
          "json_object",
          "json_schema"
        ]
      }
    }
  },
  "ResponseInProgressEvent": {
    "type": "object",
    "additionalProperties": true,
    "required": [
      "type",
      "response",
      "sequence_number"
    ],
    "properties": {
      "type": {
        "type": "string",
        "enum": [
          "response.in_progress"
        ]
      },
      "response": {
        "$ref": "contract#/$defs/ModelResponse"
      },
      "sequence_number": {
        "type": "integer"
      }
    }
  },
  "ResponseIncompleteEvent": {
    "type": "object",
    "additionalProperties": true,
    "required": [
      "type",
      "response",
      "sequence_number"
    ],
    "properties": {
      "type": {
        "type": "string",
        "enum": [
          "response.incomplete"
        ]
      },
      "response": {
        "$ref": "contract#/$defs/ModelResponse"
      },
      "sequence_number": {
        "type": "integer"
      }
    }
  },
  "ResponseInputItem": {
    "type": "object",
    "maxProperties": 50,
    "additionalProperties": true,
    "properties": {
      "type": {
        "type": [
          "string",
          "null"
        ],
        "minLength": 1,
        "maxLength": 50
      },
      "role": {
        "type": "string",
        "enum": [
          "developer",
          "system",
          "user",
          "assistant"
        ]
      },
      "content": {
        "oneOf": [
          {
            "type": "string"
          },
          {
            "type": "array",
            "maxItems": 30000,
            "items": {
              "$ref": "contract#/$defs/ResponseContentPart"
            }
          },
          {
            "type": "null"
          }
        ]
      },
      "call_id": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 200
      },
      "name": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 200
      },
      "arguments": {
        "oneOf": [
          {
            "type": "string"
          },
          {
            "type": "object",
            "maxProperties": 200,
            "additionalProperties": true
          },
          {
            "type": "null"
          }
        ]
      },
      "output": {
        "oneOf": [
          {
            "type": "string"
          },
          {
            "type": "array",
            "maxItems": 30000,
            "items": {
              "type": "object",
              "maxProperties": 200,
              "additionalProperties": true
            }
          },
          {
            "type": "object",
            "maxProperties": 200,
            "additionalProperties": true
          },
          {
            "type": "null"
          }
        ]
      }
    }
  },
  "ResponseMetadata": {
    "type": "object",
    "required": [
      "request_id",
      "timestamp",
      "cost"
    ],
    "properties": {
      "request_id": {
        "type": "string"
      },
      "timestamp": {
        "type": "string",
        "format": "date-time"
      },
      "cost": {
        "type": "number"
      },
      "engine": {
        "$ref": "contract#/$defs/Engine"
      }
    }
  },
  "ResponseOutputItem": {
    "type": "object",
    "maxProperties": 200,
    "additionalProperties": true,
    "required": [
      "type"
    ],
    "properties": {
      "type": {
        "type": "string"
      },
      "id": {
        "type": "string"
      },
      "status": {
        "type": "string"
      },
      "role": {
        "type": "string"
      },
      "content": {
        "type": [
          "array",
          "null"
        ],
        "items": {
          "type": "object",
          "maxProperties": 200,
          "additionalProperties": true
        }
      },
      "call_id": {
        "type": "string"
      },
      "name": {
        "type": "string"
      },
      "arguments": {
        "type": "string"
      }
    }
  },
  "ResponseOutputPart": {
    "oneOf": [
      {
        "$ref": "contract#/$defs/OutputTextPart"
      },
      {
        "$ref": "contract#/$defs/RefusalPart"
      },
      {
        "$ref": "contract#/$defs/ReasoningTextPart"
      }
    ]
  },
  "ResponseReasoning": {
    "type": [
      "object",
      "null"
    ],
    "maxProperties": 20,
    "additionalProperties": true,
    "properties": {
      "effort": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 50
      }
    }
  },
  "ResponseText": {
    "type": [
      "object",
      "null"
    ],
    "maxProperties": 20,
    "additionalProperties": true,
    "properties": {
      "format": {
        "$ref": "contract#/$defs/ResponseTextFormat"
      }
    }
  },
  "ResponseTextFormat": {
    "type": [
      "object",
      "null"
    ],
    "maxProperties": 20,
    "additionalProperties": true,
    "required": [
      "type"
    ],
    "properties": {
      "type": {
        "type": "string",
        "minLength": 1,
        "maxLength": 50
      }
    }
  },
  "ResponseUsage": {
    "type": [
      "object",
      "null"
    ],
    "additionalProperties": true,
    "required": [
      "input_tokens",
      "output_tokens",
      "total_tokens"
    ],
    "properties": {
      "input_tokens": {
        "type": "integer"
      },
      "output_tokens": {
        "type": "integer"
      },
      "total_tokens": {
        "type": "integer"
      }
    }
  },
  "RetrieveRagChunksRequest": {
    "type": "object",
    "additionalProperties": false,
    "required": [
      "query"
    ],
    "properties": {
      "query": {
        "type": "string",
        "minLength": 1,
        "maxLength": 10000
      },
      "top_k": {
        "type": "integer",
        "minimum": 1,
        "maximum": 50,
        "default": 5
      },
      "collection": {
        "$ref": "contract#/$defs/RagCollection"
      },
      "filter": {
        "$ref": "contract#/$defs/RagFilter"
      },
      "min_score": {
        "$ref": "contract#/$defs/RagMinScore"
      },
      "allow_degraded": {
        "$ref": "contract#/$defs/AllowDegraded"
      }
    }
  },
  "Revenue": {
    "type": "object",
    "required": [
      "start_date",
      "end_date",
      "totals",
      "by_day",
      "by_tier",
      "by_operation",
      "by_model"
    ],
    "properties": {
      "start_date": {
        "type": "string",
        "format": "date-time"
      },
      "end_date": {
        "type": "string",
        "format": "date-time"
      },
      "totals": {
        "$ref": "contract#/$defs/Money"
      },
      "by_day": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/DayOfMoney"
        }
      },
      "by_tier": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/TierUsage"
        }
      },
      "by_operation": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/OperationUsage"
        }
      },
      "by_model": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/ModelUsage"
        }
      }
    }
  },
  "RewriteResult": {
    "type": "object",
    "required": [
      "type",
      "text"
    ],
    "properties": {
      "type": {
        "type": "string",
        "enum": [
          "rewrite"
        ]
      },
      "text": {
        "type": "string"
      }
    }
  },
  "RotateKeyRequest": {
    "type": "object",
    "additionalProperties": false,
    "properties": {
      "overlap_seconds": {
        "type": "integer",
        "minimum": 0,
        "maximum": 86400,
        "default": 0
      }
    }
  },
  "RotateWebhookSecretRequest": {
    "type": "object",
    "additionalProperties": false,
    "properties": {
      "overlap_seconds": {
        "type": "integer",
        "minimum": 0,
        "maximum": 86400,
        "default": 0
      },
      "secret": {
        "type": "string",
        "minLength": 16,
        "maxLength": 128,
        "pattern": "^[ -~]*$",
        "x-fault": "must have printable ASCII characters only"
      }
    }
  },
  "RunOmmBatchRequest": {
    "type": "object",
    "additionalProperties": false,
    "required": [
      "items"
    ],
    "properties": {
      "items": {
        "type": "array",
        "minItems": 1,
        "maxItems": 20,
        "items": {
          "$ref": "contract#/$defs/OmmBatchItem"
        }
      }
    }
  },
  "RunsOut": {
    "type": "object",
    "required": [
      "kind",
      "key_id",
      "key_name",
      "limit",
      "remaining",
      "resets_at",
      "daily_spend",
      "runs_out_at"
    ],
    "properties": {
      "kind": {
        "type": "string",
        "enum": [
          "balance",
          "daily_limit",
          "monthly_limit"
        ]
      },
      "key_id": {
        "type": [
          "string",
          "null"
        ],
        "format": "uuid"
      },
      "key_name": {
        "type": [
          "string",
          "null"
        ]
      },
      "limit": {
        "type": [
          "number",
          "null"
        ]
      },
      "remaining": {
        "type": "number"
      },
      "resets_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time"
      },
      "daily_spend": {
        "type": "number"
      },
      "runs_out_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time"
      }
    }
  },
  "ScholarAnalysis": {
    "type": "object",
    "required": [
      "sections",
      "references",
      "citations",
      "statistics",
      "model",
      "truncated",
      "dropped",
      "usage"
    ],
    "properties": {
      "sections": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/ScholarSection"
        }
      },
      "references": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/ScholarReference"
        }
      },
      "citations": {
        "$ref": "contract#/$defs/ScholarCitationCounts"
      },
      "statistics": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/ScholarStatistic"
        }
      },
      "model": {
        "$ref": "contract#/$defs/AnsweredBy"
      },
      "truncated": {
        "$ref": "contract#/$defs/AnswerTruncated"
      },
      "dropped": {
        "$ref": "contract#/$defs/AnswerDropped"
      },
      "usage": {
        "$ref": "contract#/$defs/AnswerUsage"
      }
    }
  },
  "ScholarAnalysisResponse": {
    "type": "object",
    "required": [
      "data",
      "metadata"
    ],
    "properties": {
      "data": {
        "$ref": "contract#/$defs/ScholarAnalysis"
      },
      "metadata": {
        "$ref": "contract#/$defs/ResponseMetadata"
      }
    }
  },
  "ScholarBibliographyEntry": {
    "type": "object",
    "required": [
      "index",
      "document_id",
      "collection",
      "title",
      "metadata"
    ],
    "properties": {
      "index": {
        "type": "integer"
      },
      "document_id": {
        "type": "string"
      },
      "collection": {
        "type": "string"
      },
      "title": {
        "type": [
          "string",
          "null"
        ]
      },
      "metadata": {
        "type": "object",
        "additionalProperties": true
      }
    }
  },
  "ScholarCitation": {
    "type": "object",
    "required": [
      "text",
      "html",
      "in_text",
      "key"
    ],
    "properties": {
      "text": {
        "type": "string"
      },
      "html": {
        "type": [
          "string",
          "null"
        ]
      },
      "in_text": {
        "$ref": "contract#/$defs/ScholarInText"
      },
      "key": {
        "type": [
          "string",
          "null"
        ]
      }
    }
  },
  "ScholarCitationCounts": {
    "type": "object",
    "required": [
      "total",
      "numeric",
      "author_year",
      "places",
      "unmatched",
      "uncited"
    ],
    "properties": {
      "total": {
        "type": "integer"
      },
      "numeric": {
        "type": "integer"
      },
      "author_year": {
        "type": "integer"
      },
      "places": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/ScholarCitationPlace"
        }
      },
      "unmatched": {
        "type": "array",
        "items": {
          "type": "string"
        }
      },
      "uncited": {
        "type": "array",
        "items": {
          "type": "integer"
        }
      }
    }
  },
  "ScholarCitationPlace": {
    "type": "object",
    "required": [
      "kind",
      "text",
      "start",
      "end",
      "references",
      "unmatched"
    ],
    "properties": {
      "kind": {
        "type": "string",
        "enum": [
          "numeric",
          "author_year"
        ]
      },
      "text": {
        "type": "string"
      },
      "start": {
        "type": "integer"
      },
      "end": {
        "type": "integer"
      },
      "references": {
        "type": "array",
        "items": {
          "type": "integer"
        }
      },
      "unmatched": {
        "type": "array",
        "items": {
          "type": "string"
        }
      }
    }
  },
  "ScholarCitations": {
    "type": "object",
    "required": [
      "style",
      "citations",
      "bibliography",
      "model",
      "usage"
    ],
    "properties": {
      "style": {
        "type": "string"
      },
      "citations": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/ScholarCitation"
        }
      },
      "bibliography": {
        "type": "string"
      },
      "model": {
        "$ref": "contract#/$defs/AnsweredBy"
      },
      "usage": {
        "$ref": "contract#/$defs/AnswerUsage"
      }
    }
  },
  "ScholarCitationsResponse": {
    "type": "object",
    "required": [
      "data",
      "metadata"
    ],
    "properties": {
      "data": {
        "$ref": "contract#/$defs/ScholarCitations"
      },
      "metadata": {
        "$ref": "contract#/$defs/ResponseMetadata"
      }
    }
  },
  "ScholarFinding": {
    "type": "object",
    "required": [
      "text",
      "citations"
    ],
    "properties": {
      "text": {
        "type": "string"
      },
      "citations": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/ScholarFindingCitation"
        }
      }
    }
  },
  "ScholarFindingCitation": {
    "type": "object",
    "required": [
      "index",
      "document_id",
      "chunk_id",
      "quote",
      "start",
      "end"
    ],
    "properties": {
      "index": {
        "type": "integer"
      },
      "document_id": {
        "type": "string"
      },
      "chunk_id": {
        "type": "string",
        "format": "uuid"
      },
      "quote": {
        "type": "string"
      },
      "start": {
        "type": "integer"
      },
      "end": {
        "type": "integer"
      }
    }
  },
  "ScholarInText": {
    "type": [
      "object",
      "null"
    ],
    "required": [
      "parenthetical",
      "narrative"
    ],
    "properties": {
      "parenthetical": {
        "type": "string"
      },
      "narrative": {
        "type": "string"
      }
    }
  },
  "ScholarReference": {
    "type": "object",
    "required": [
      "index",
      "number",
      "raw",
      "authors",
      "year",
      "title",
      "doi",
      "url",
      "citations",
      "start",
      "end"
    ],
    "properties": {
      "index": {
        "type": "integer"
      },
      "number": {
        "type": [
          "integer",
          "null"
        ]
      },
      "raw": {
        "type": "string"
      },
      "authors": {
        "type": "array",
        "items": {
          "type": "string"
        }
      },
      "year": {
        "type": [
          "string",
          "null"
        ]
      },
      "title": {
        "type": [
          "string",
          "null"
        ]
      },
      "doi": {
        "type": [
          "string",
          "null"
        ]
      },
      "url": {
        "type": [
          "string",
          "null"
        ]
      },
      "citations": {
        "type": "integer"
      },
      "start": {
        "type": "integer"
      },
      "end": {
        "type": "integer"
      }
    }
  },
  "ScholarResearch": {
    "type": "object",
    "required": [
      "found",
      "findings",
      "bibliography",
      "retrieved",
      "model",
      "truncated",
      "dropped",
      "usage"
    ],
    "properties": {
      "found": {
        "type": "boolean"
      },
      "findings": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/ScholarFinding"
        }
      },
      "bibliography": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/ScholarBibliographyEntry"
        }
      },
      "retrieved": {
        "type": "integer"
      },
      "model": {
        "type": [
          "string",
          "null"
        ]
      },
      "truncated": {
        "$ref": "contract#/$defs/AnswerTruncated"
      },
      "dropped": {
        "$ref": "contract#/$defs/AnswerDropped"
      },
      "usage": {
        "$ref": "contract#/$defs/AnswerUsage"
      }
    }
  },
  "ScholarResearchResponse": {
    "type": "object",
    "required": [
      "data",
      "metadata"
    ],
    "properties": {
      "data": {
        "$ref": "contract#/$defs/ScholarResearch"
      },
      "metadata": {
        "$ref": "contract#/$defs/ResponseMetadata"
      }
    }
  },
  "ScholarSection": {
    "type": "object",
    "required": [
      "kind",
      "heading",
      "level",
      "start",
      "end"
    ],
    "properties": {
      "kind": {
        "$ref": "contract#/$defs/ScholarSectionKind"
      },
      "heading": {
        "type": [
          "string",
          "null"
        ]
      },
      "level": {
        "type": "integer"
      },
      "start": {
        "type": "integer"
      },
      "end": {
        "type": "integer"
      }
    }
  },
  "ScholarSectionKind": {
    "type": "string",
    "enum": [
      "front_matter",
      "abstract",
      "introduction",
      "background",
      "methods",
      "results",
      "discussion",
      "conclusion",
      "acknowledgments",
      "references",
      "appendix",
      "other"
    ]
  },
  "ScholarSectionPoints": {
    "type": "object",
    "required": [
      "heading",
      "kind",
      "points"
    ],
    "properties": {
      "heading": {
        "type": [
          "string",
          "null"
        ]
      },
      "kind": {
        "$ref": "contract#/$defs/ScholarSectionKind"
      },
      "points": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/QuotedSentence"
        }
      }
    }
  },
  "ScholarSource": {
    "type": "object",
    "additionalProperties": false,
    "required": [
      "type",
      "title"
    ],
    "properties": {
      "type": {
        "type": "string",
        "enum": [
          "book",
          "article",
          "chapter",
          "website",
          "report",
          "thesis",
          "conference"
        ]
      },
      "title": {
        "type": "string",
        "minLength": 1,
        "maxLength": 1000
      },
      "translated_title": {
        "type": [
          "string",
          "null"
        ],
        "minLength": 1,
        "maxLength": 1000
      },
      "authors": {
        "type": "array",
        "maxItems": 200,
        "items": {
          "$ref": "contract#/$defs/ScholarSourceName"
        }
      },
      "editors": {
        "type": "array",
        "maxItems": 50,
        "items": {
          "$ref": "contract#/$defs/ScholarSourceName"
        }
      },
      "translators": {
        "type": "array",
        "maxItems": 50,
        "items": {
          "$ref": "contract#/$defs/ScholarSourceName"
        }
      },
      "year": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 1,
        "maximum": 9999
      },
      "date": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 10,
        "pattern": "^\\d{4}(?:-\\d{2}(?:-\\d{2})?)?$",
        "x-fault": "must be a date, as 2020, 2020-03 or 2020-03-15"
      },
      "season": {
        "type": [
          "string",
          "null"
        ],
        "enum": [
          "spring",
          "summer",
          "autumn",
          "fall",
          "winter",
          null
        ]
      },
      "container_title": {
        "type": [
          "string",
          "null"
        ],
        "minLength": 1,
        "maxLength": 1000
      },
      "periodical": {
        "type": "string",
        "enum": [
          "journal",
          "magazine",
          "newspaper"
        ],
        "default": "journal"
      },
      "publisher": {
        "type": [
          "string",
          "null"
        ],
        "minLength": 1,
        "maxLength": 300
      },
      "place": {
        "type": [
          "string",
          "null"
        ],
        "minLength": 1,
        "maxLength": 200
      },
      "volume": {
        "type": [
          "string",
          "null"
        ],
        "minLength": 1,
        "maxLength": 50
      },
      "issue": {
        "type": [
          "string",
          "null"
        ],
        "minLength": 1,
        "maxLength": 50
      },
      "pages": {
        "type": [
          "string",
          "null"
        ],
        "minLength": 1,
        "maxLength": 100
      },
      "edition": {
        "type": [
          "string",
          "null"
        ],
        "minLength": 1,
        "maxLength": 50
      },
      "number": {
        "type": [
          "string",
          "null"
        ],
        "minLength": 1,
        "maxLength": 100
      },
      "genre": {
        "type": [
          "string",
          "null"
        ],
        "minLength": 1,
        "maxLength": 100
      },
      "database": {
        "type": [
          "string",
          "null"
        ],
        "minLength": 1,
        "maxLength": 200
      },
      "url": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 2000,
        "pattern": "^https?://[^\\s<>\"]+$",
        "x-fault": "must be an address that begins with http:// or https://"
      },
      "doi": {
        "type": [
          "string",
          "null"
        ],
        "minLength": 1,
        "maxLength": 400
      },
      "isbn": {
        "type": [
          "string",
          "null"
        ],
        "minLength": 1,
        "maxLength": 40
      },
      "accessed": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 10,
        "pattern": "^\\d{4}-\\d{2}-\\d{2}$",
        "x-fault": "must be a day, as 2020-03-15"
      }
    }
  },
  "ScholarSourceName": {
    "type": "object",
    "additionalProperties": false,
    "properties": {
      "family": {
        "type": [
          "string",
          "null"
        ],
        "minLength": 1,
        "maxLength": 200
      },
      "given": {
        "type": [
          "string",
          "null"
        ],
        "minLength": 1,
        "maxLength": 200
      },
      "suffix": {
        "type": [
          "string",
          "null"
        ],
        "minLength": 1,
        "maxLength": 20
      },
      "literal": {
        "type": [
          "string",
          "null"
        ],
        "minLength": 1,
        "maxLength": 300
      }
    }
  },
  "ScholarStatistic": {
    "type": "object",
    "required": [
      "kind",
      "text",
      "start",
      "end",
      "comparison",
      "value",
      "degrees_of_freedom",
      "deviation",
      "low",
      "high"
    ],
    "properties": {
      "kind": {
        "type": "string",
        "enum": [
          "p_value",
          "sample_size",
          "mean",
          "confidence_interval",
          "percentage",
          "t",
          "f",
          "chi_square",
          "correlation"
        ]
      },
      "text": {
        "type": "string"
      },
      "start": {
        "type": "integer"
      },
      "end": {
        "type": "integer"
      },
      "comparison": {
        "type": [
          "string",
          "null"
        ],
        "enum": [
          "=",
          "<",
          ">",
          "≤",
          "≥",
          null
        ]
      },
      "value": {
        "type": [
          "number",
          "null"
        ]
      },
      "degrees_of_freedom": {
        "type": "array",
        "items": {
          "type": "number"
        }
      },
      "deviation": {
        "type": [
          "number",
          "null"
        ]
      },
      "low": {
        "type": [
          "number",
          "null"
        ]
      },
      "high": {
        "type": [
          "number",
          "null"
        ]
      }
    }
  },
  "ScholarSummary": {
    "type": "object",
    "required": [
      "abstract",
      "text",
      "summary",
      "key_points",
      "model",
      "truncated",
      "dropped",
      "usage"
    ],
    "properties": {
      "abstract": {
        "anyOf": [
          {
            "$ref": "contract#/$defs/QuotedSentence"
          },
          {
            "type": "null"
          }
        ]
      },
      "text": {
        "type": "string"
      },
      "summary": {
        "type": "string",
        "deprecated": true
      },
      "key_points": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/ScholarSectionPoints"
        }
      },
      "model": {
        "$ref": "contract#/$defs/AnsweredBy"
      },
      "truncated": {
        "$ref": "contract#/$defs/AnswerTruncated"
      },
      "dropped": {
        "$ref": "contract#/$defs/AnswerDropped"
      },
      "usage": {
        "$ref": "contract#/$defs/AnswerUsage"
      }
    }
  },
  "ScholarSummaryResponse": {
    "type": "object",
    "required": [
      "data",
      "metadata"
    ],
    "properties": {
      "data": {
        "$ref": "contract#/$defs/ScholarSummary"
      },
      "metadata": {
        "$ref": "contract#/$defs/ResponseMetadata"
      }
    }
  },
  "SearchHighlight": {
    "type": "object",
    "required": [
      "start",
      "end"
    ],
    "properties": {
      "start": {
        "type": "integer"
      },
      "end": {
        "type": "integer"
      }
    }
  },
  "SearchItem": {
    "type": "object",
    "required": [
      "id",
      "title",
      "content",
      "url",
      "metadata",
      "created_at",
      "updated_at"
    ],
    "properties": {
      "id": {
        "type": "string"
      },
      "title": {
        "type": [
          "string",
          "null"
        ]
      },
      "content": {
        "type": "string"
      },
      "url": {
        "type": [
          "string",
          "null"
        ]
      },
      "metadata": {
        "type": "object",
        "maxProperties": 200,
        "additionalProperties": true
      },
      "created_at": {
        "type": "string",
        "format": "date-time"
      },
      "updated_at": {
        "type": "string",
        "format": "date-time"
      }
    }
  },
  "SearchItemId": {
    "type": "string",
    "minLength": 1,
    "maxLength": 128,
    "pattern": "^[A-Za-z0-9_][A-Za-z0-9_.:@~-]*$",
    "x-fault": "must begin with a letter A to Z, a digit or _ and go on with these or .:@~-"
  },
  "SearchItemInput": {
    "type": "object",
    "additionalProperties": false,
    "required": [
      "content"
    ],
    "properties": {
      "id": {
        "$ref": "contract#/$defs/SearchItemId"
      },
      "title": {
        "type": [
          "string",
          "null"
        ],
        "minLength": 1,
        "maxLength": 500
      },
      "content": {
        "type": "string",
        "minLength": 1,
        "maxLength": 100000
      },
      "url": {
        "type": [
          "string",
          "null"
        ],
        "format": "uri",
        "maxLength": 2000
      },
      "metadata": {
        "type": "object",
        "maxProperties": 200,
        "additionalProperties": true
      }
    }
  },
  "SearchItemResponse": {
    "type": "object",
    "required": [
      "data",
      "metadata"
    ],
    "properties": {
      "data": {
        "$ref": "contract#/$defs/SearchItem"
      },
      "metadata": {
        "$ref": "contract#/$defs/ResponseMetadata"
      }
    }
  },
  "SearchMemoriesRequest": {
    "type": "object",
    "additionalProperties": false,
    "required": [
      "query"
    ],
    "properties": {
      "query": {
        "type": "string",
        "minLength": 1,
        "maxLength": 10000
      },
      "limit": {
        "type": "integer",
        "minimum": 1,
        "maximum": 100,
        "default": 10
      },
      "namespace": {
        "type": "string",
        "minLength": 1,
        "maxLength": 100
      },
      "metadata": {
        "type": "object",
        "maxProperties": 200,
        "additionalProperties": true
      }
    }
  },
  "SearchRequest": {
    "type": "object",
    "additionalProperties": false,
    "required": [
      "query"
    ],
    "properties": {
      "query": {
        "type": "string",
        "minLength": 1,
        "maxLength": 1000
      },
      "limit": {
        "type": "integer",
        "minimum": 1,
        "maximum": 100,
        "default": 20
      },
      "offset": {
        "type": "integer",
        "minimum": 0,
        "maximum": 900,
        "default": 0
      },
      "filter": {
        "type": "object",
        "maxProperties": 200,
        "additionalProperties": true
      },
      "sort": {
        "type": "string",
        "enum": [
          "score",
          "created_at",
          "updated_at",
          "title"
        ],
        "default": "score"
      },
      "order": {
        "type": "string",
        "enum": [
          "asc",
          "desc"
        ],
        "default": "desc"
      }
    }
  },
  "SearchResponse": {
    "type": "object",
    "required": [
      "data",
      "metadata"
    ],
    "properties": {
      "data": {
        "$ref": "contract#/$defs/SearchResults"
      },
      "metadata": {
        "$ref": "contract#/$defs/ResponseMetadata"
      }
    }
  },
  "SearchResult": {
    "type": "object",
    "required": [
      "id",
      "title",
      "snippet",
      "highlights",
      "score",
      "url",
      "metadata"
    ],
    "properties": {
      "id": {
        "type": "string"
      },
      "title": {
        "type": [
          "string",
          "null"
        ]
      },
      "snippet": {
        "type": "string"
      },
      "highlights": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/SearchHighlight"
        }
      },
      "score": {
        "type": "number"
      },
      "url": {
        "type": [
          "string",
          "null"
        ]
      },
      "metadata": {
        "type": "object",
        "maxProperties": 200,
        "additionalProperties": true
      }
    }
  },
  "SearchResults": {
    "type": "object",
    "required": [
      "results",
      "total",
      "limit",
      "offset",
      "truncated",
      "corrected_query"
    ],
    "properties": {
      "results": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/SearchResult"
        }
      },
      "total": {
        "type": "integer",
        "maximum": 10000
      },
      "limit": {
        "type": "integer"
      },
      "offset": {
        "type": "integer"
      },
      "truncated": {
        "type": "boolean"
      },
      "corrected_query": {
        "type": [
          "string",
          "null"
        ]
      }
    }
  },
  "SentimentResult": {
    "type": "object",
    "required": [
      "type",
      "tone"
    ],
    "properties": {
      "type": {
        "type": "string",
        "enum": [
          "sentiment"
        ]
      },
      "tone": {
        "$ref": "contract#/$defs/TextTone"
      }
    }
  },
  "ServiceHealth": {
    "type": "object",
    "required": [
      "status",
      "version",
      "checks",
      "upstreams",
      "chains",
      "latencies",
      "checked_at"
    ],
    "properties": {
      "status": {
        "type": "string",
        "enum": [
          "ok",
          "unavailable"
        ]
      },
      "version": {
        "type": "string"
      },
      "checks": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/ReadinessCheck"
        }
      },
      "upstreams": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/UpstreamHealth"
        }
      },
      "chains": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/ChainHealth"
        }
      },
      "latencies": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/ClassLatency"
        }
      },
      "checked_at": {
        "type": "string",
        "format": "date-time"
      }
    }
  },
  "Session": {
    "type": "object",
    "required": [
      "token",
      "expires_at",
      "user"
    ],
    "properties": {
      "token": {
        "type": "string"
      },
      "expires_at": {
        "type": "string",
        "format": "date-time"
      },
      "user": {
        "$ref": "contract#/$defs/SessionUser"
      }
    }
  },
  "SessionUser": {
    "type": "object",
    "required": [
      "id",
      "email",
      "username",
      "role"
    ],
    "properties": {
      "id": {
        "type": "string",
        "format": "uuid"
      },
      "email": {
        "type": "string"
      },
      "username": {
        "type": "string"
      },
      "role": {
        "type": "string",
        "enum": [
          "user",
          "admin"
        ]
      }
    }
  },
  "SourceContent": {
    "type": [
      "string",
      "null"
    ],
    "minLength": 1,
    "maxLength": 400000
  },
  "SourceDocumentId": {
    "type": [
      "string",
      "null"
    ],
    "minLength": 1,
    "maxLength": 64
  },
  "SpendingLimits": {
    "type": "object",
    "required": [
      "daily_limit",
      "monthly_limit",
      "per_request_limit",
      "timezone",
      "daily_spent",
      "monthly_spent",
      "daily_remaining",
      "monthly_remaining",
      "daily_resets_at",
      "monthly_resets_at"
    ],
    "properties": {
      "daily_limit": {
        "type": [
          "number",
          "null"
        ]
      },
      "monthly_limit": {
        "type": [
          "number",
          "null"
        ]
      },
      "per_request_limit": {
        "type": [
          "number",
          "null"
        ]
      },
      "timezone": {
        "type": "string"
      },
      "daily_spent": {
        "type": "number"
      },
      "monthly_spent": {
        "type": "number"
      },
      "daily_remaining": {
        "type": [
          "number",
          "null"
        ]
      },
      "monthly_remaining": {
        "type": [
          "number",
          "null"
        ]
      },
      "daily_resets_at": {
        "type": "string",
        "format": "date-time"
      },
      "monthly_resets_at": {
        "type": "string",
        "format": "date-time"
      }
    }
  },
  "SpendingLimitsRequest": {
    "type": "object",
    "additionalProperties": false,
    "minProperties": 1,
    "properties": {
      "daily_limit": {
        "type": [
          "number",
          "null"
        ],
        "minimum": 0,
        "maximum": 1000000000
      },
      "monthly_limit": {
        "type": [
          "number",
          "null"
        ],
        "minimum": 0,
        "maximum": 1000000000
      },
      "per_request_limit": {
        "type": [
          "number",
          "null"
        ],
        "minimum": 0,
        "maximum": 1000000000
      },
      "timezone": {
        "type": "string",
        "format": "time-zone",
        "maxLength": 64
      }
    }
  },
  "StatisticsResult": {
    "type": "object",
    "required": [
      "type",
      "statistics"
    ],
    "properties": {
      "type": {
        "type": "string",
        "enum": [
          "statistics"
        ]
      },
      "statistics": {
        "$ref": "contract#/$defs/TextCounts"
      }
    }
  },
  "StopSequences": {
    "oneOf": [
      {
        "type": "string",
        "maxLength": 1000
      },
      {
        "type": "array",
        "maxItems": 16,
        "items": {
          "type": "string",
          "maxLength": 1000
        }
      },
      {
        "type": "null"
      }
    ]
  },
  "StoredDocument": {
    "type": "object",
    "required": [
      "id",
      "name",
      "title",
      "type",
      "media_type",
      "size_bytes",
      "checksum",
      "metadata",
      "status",
      "progress",
      "error",
      "pages",
      "language",
      "characters",
      "tokens",
      "chunks",
      "truncated",
      "created_at",
      "updated_at",
      "processed_at"
    ],
    "properties": {
      "id": {
        "type": "string",
        "format": "uuid"
      },
      "name": {
        "type": "string"
      },
      "title": {
        "type": "string"
      },
      "type": {
        "$ref": "contract#/$defs/DocumentFileType"
      },
      "media_type": {
        "type": "string"
      },
      "size_bytes": {
        "type": "integer"
      },
      "checksum": {
        "type": "string"
      },
      "metadata": {
        "type": "object",
        "maxProperties": 200,
        "additionalProperties": true
      },
      "status": {
        "$ref": "contract#/$defs/DocumentStatus"
      },
      "progress": {
        "type": "integer"
      },
      "error": {
        "type": [
          "string",
          "null"
        ]
      },
      "pages": {
        "type": [
          "integer",
          "null"
        ]
      },
      "language": {
        "type": [
          "string",
          "null"
        ]
      },
      "characters": {
        "type": [
          "integer",
          "null"
        ]
      },
      "tokens": {
        "type": [
          "integer",
          "null"
        ]
      },
      "chunks": {
        "type": [
          "integer",
          "null"
        ]
      },
      "truncated": {
        "type": "boolean"
      },
      "created_at": {
        "type": "string",
        "format": "date-time"
      },
      "updated_at": {
        "type": "string",
        "format": "date-time"
      },
      "processed_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time"
      }
    }
  },
  "Story": {
    "type": "object",
    "required": [
      "id",
      "title",
      "kind",
      "text",
      "acts",
      "prompt",
      "genre",
      "characters",
      "length",
      "tone",
      "model",
      "finish_reason",
      "usage",
      "created_at"
    ],
    "properties": {
      "id": {
        "type": "string",
        "format": "uuid"
      },
      "title": {
        "type": "string"
      },
      "kind": {
        "type": "string",
        "enum": [
          "outline",
          "prose"
        ]
      },
      "text": {
        "type": "string"
      },
      "acts": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/StoryAct"
        }
      },
      "prompt": {
        "type": "string"
      },
      "genre": {
        "type": [
          "string",
          "null"
        ]
      },
      "characters": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/StoryCharacter"
        }
      },
      "length": {
        "$ref": "contract#/$defs/StoryLength"
      },
      "tone": {
        "type": [
          "string",
          "null"
        ]
      },
      "model": {
        "type": "string"
      },
      "finish_reason": {
        "type": [
          "string",
          "null"
        ]
      },
      "usage": {
        "$ref": "contract#/$defs/AnswerUsage"
      },
      "created_at": {
        "type": "string",
        "format": "date-time"
      }
    }
  },
  "StoryAct": {
    "type": "object",
    "required": [
      "title",
      "beats"
    ],
    "properties": {
      "title": {
        "type": "string"
      },
      "beats": {
        "type": "array",
        "items": {
          "type": "string"
        }
      }
    }
  },
  "StoryCharacter": {
    "type": "object",
    "required": [
      "name",
      "description"
    ],
    "properties": {
      "name": {
        "type": "string"
      },
      "description": {
        "type": [
          "string",
          "null"
        ]
      }
    }
  },
  "StoryCharacterInput": {
    "type": "object",
    "additionalProperties": false,
    "required": [
      "name"
    ],
    "properties": {
      "name": {
        "type": "string",
        "minLength": 1,
        "maxLength": 100
      },
      "description": {
        "type": [
          "string",
          "null"
        ],
        "minLength": 1,
        "maxLength": 1000
      }
    }
  },
  "StoryDeltaEvent": {
    "type": "object",
    "required": [
      "type",
      "text"
    ],
    "properties": {
      "type": {
        "type": "string",
        "enum": [
          "delta"
        ]
      },
      "text": {
        "type": "string"
      }
    }
  },
  "StoryDoneEvent": {
    "type": "object",
    "required": [
      "type",
      "data",
      "cost"
    ],
    "properties": {
      "type": {
        "type": "string",
        "enum": [
          "done"
        ]
      },
      "data": {
        "$ref": "contract#/$defs/Story"
      },
      "cost": {
        "type": "number"
      }
    }
  },
  "StoryEvent": {
    "anyOf": [
      {
        "$ref": "contract#/$defs/StoryDeltaEvent"
      },
      {
        "$ref": "contract#/$defs/StoryDoneEvent"
      },
      {
        "$ref": "contract#/$defs/StreamError"
      }
    ]
  },
  "StoryLength": {
    "type": "string",
    "enum": [
      "short",
      "medium",
      "long"
    ]
  },
  "StoryList": {
    "type": "object",
    "required": [
      "stories",
      "total",
      "limit",
      "offset",
      "truncated"
    ],
    "properties": {
      "stories": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/Story"
        }
      },
      "total": {
        "type": "integer"
      },
      "limit": {
        "type": "integer"
      },
      "offset": {
        "type": "integer"
      },
      "truncated": {
        "type": "boolean"
      }
    }
  },
  "StoryListResponse": {
    "type": "object",
    "required": [
      "data",
      "metadata"
    ],
    "properties": {
      "data": {
        "$ref": "contract#/$defs/StoryList"
      },
      "metadata": {
        "$ref": "contract#/$defs/ResponseMetadata"
      }
    }
  },
  "StoryResponse": {
    "type": "object",
    "required": [
      "data",
      "metadata"
    ],
    "properties": {
      "data": {
        "$ref": "contract#/$defs/Story"
      },
      "metadata": {
        "$ref": "contract#/$defs/ResponseMetadata"
      }
    }
  },
  "StreamError": {
    "type": "object",
    "required": [
      "error"
    ],
    "properties": {
      "error": {
        "$ref": "contract#/$defs/StreamErrorReason"
      }
    }
  },
  "StreamErrorReason": {
    "type": "object",
    "additionalProperties": true,
    "required": [
      "message"
    ],
    "properties": {
      "message": {
        "type": "string"
      },
      "type": {
        "type": [
          "string",
          "null"
        ]
      },
      "param": {
        "type": [
          "string",
          "null"
        ]
      },
      "code": {
        "type": [
          "string",
          "integer",
          "null"
        ]
      },
      "request_id": {
        "type": "string"
      }
    }
  },
  "StreamedUsage": {
    "type": [
      "object",
      "null"
    ],
    "additionalProperties": true,
    "required": [
      "prompt_tokens",
      "completion_tokens",
      "total_tokens"
    ],
    "properties": {
      "prompt_tokens": {
        "type": "integer"
      },
      "completion_tokens": {
        "type": "integer"
      },
      "total_tokens": {
        "type": "integer"
      },
      "cost": {
        "type": "number"
      }
    }
  },
  "StructureDocsRequest": {
    "type": "object",
    "additionalProperties": false,
    "properties": {
      "content": {
        "$ref": "contract#/$defs/SourceContent"
      },
      "document_id": {
        "$ref": "contract#/$defs/SourceDocumentId"
      },
      "depth_max": {
        "type": "integer",
        "minimum": 1,
        "maximum": 6,
        "default": 6
      }
    }
  },
  "SubmitTaskRequest": {
    "type": "object",
    "additionalProperties": false,
    "required": [
      "task_type",
      "parameters"
    ],
    "properties": {
      "task_type": {
        "$ref": "contract#/$defs/TaskType"
      },
      "parameters": {
        "type": "object",
        "maxProperties": 200,
        "additionalProperties": true
      },
      "priority": {
        "$ref": "contract#/$defs/TaskPriority",
        "default": "normal"
      }
    }
  },
  "SummarizeLegalRequest": {
    "type": "object",
    "additionalProperties": false,
    "properties": {
      "content": {
        "$ref": "contract#/$defs/SourceContent"
      },
      "document_id": {
        "$ref": "contract#/$defs/SourceDocumentId"
      },
      "sentences": {
        "type": "integer",
        "minimum": 1,
        "maximum": 20,
        "default": 5
      },
      "model": {
        "$ref": "contract#/$defs/AnsweringModel"
      },
      "max_tokens": {
        "$ref": "contract#/$defs/AnswerTokensMax"
      },
      "allow_degraded": {
        "$ref": "contract#/$defs/AllowDegraded"
      }
    }
  },
  "SummarizeResult": {
    "type": "object",
    "required": [
      "type",
      "text",
      "summary",
      "key_points"
    ],
    "properties": {
      "type": {
        "type": "string",
        "enum": [
          "summarize"
        ]
      },
      "text": {
        "type": "string"
      },
      "summary": {
        "type": "string",
        "deprecated": true
      },
      "key_points": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/QuotedSentence"
        }
      }
    }
  },
  "SummarizeScholarRequest": {
    "type": "object",
    "additionalProperties": false,
    "properties": {
      "content": {
        "$ref": "contract#/$defs/SourceContent"
      },
      "document_id": {
        "$ref": "contract#/$defs/SourceDocumentId"
      },
      "sentences": {
        "type": "integer",
        "minimum": 1,
        "maximum": 20,
        "default": 5
      },
      "points_per_section": {
        "type": "integer",
        "minimum": 1,
        "maximum": 5,
        "default": 1
      },
      "model": {
        "$ref": "contract#/$defs/AnsweringModel"
      },
      "max_tokens": {
        "$ref": "contract#/$defs/AnswerTokensMax"
      },
      "allow_degraded": {
        "$ref": "contract#/$defs/AllowDegraded"
      }
    }
  },
  "SystemEngine": {
    "type": "object",
    "required": [
      "provider",
      "quality",
      "operations",
      "models",
      "is_available"
    ],
    "properties": {
      "provider": {
        "type": "string"
      },
      "quality": {
        "type": "string",
        "enum": [
          "basic",
          "model"
        ]
      },
      "operations": {
        "type": "array",
        "items": {
          "type": "string",
          "enum": [
            "chat",
            "complete",
            "embed"
          ]
        }
      },
      "models": {
        "type": "integer",
        "minimum": 0
      },
      "is_available": {
        "type": "boolean"
      }
    }
  },
  "SystemFeature": {
    "type": "object",
    "required": [
      "name",
      "is_available",
      "engine",
      "needs"
    ],
    "properties": {
      "name": {
        "type": "string"
      },
      "is_available": {
        "type": "boolean"
      },
      "engine": {
        "type": [
          "string",
          "null"
        ],
        "enum": [
          "embedded",
          "upstream",
          null
        ]
      },
      "needs": {
        "type": [
          "string",
          "null"
        ]
      }
    }
  },
  "SystemInfo": {
    "type": "object",
    "required": [
      "version",
      "environment",
      "features",
      "engines"
    ],
    "properties": {
      "version": {
        "type": "string"
      },
      "environment": {
        "type": "string",
        "enum": [
          "live",
          "test"
        ]
      },
      "features": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/SystemFeature"
        }
      },
      "engines": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/SystemEngine"
        }
      }
    }
  },
  "SystemInfoResponse": {
    "type": "object",
    "required": [
      "data",
      "metadata"
    ],
    "properties": {
      "data": {
        "$ref": "contract#/$defs/SystemInfo"
      },
      "metadata": {
        "$ref": "contract#/$defs/ResponseMetadata"
      }
    }
  },
  "SystemLatency": {
    "type": "object",
    "required": [
      "rate_class",
      "requests",
      "p50_ms",
      "p95_ms",
      "p99_ms"
    ],
    "properties": {
      "rate_class": {
        "type": "string",
        "enum": [
          "read",
          "write",
          "llm",
          "heavy"
        ]
      },
      "requests": {
        "type": "integer",
        "minimum": 1
      },
      "p50_ms": {
        "type": "number",
        "minimum": 0
      },
      "p95_ms": {
        "type": "number",
        "minimum": 0
      },
      "p99_ms": {
        "type": "number",
        "minimum": 0
      }
    }
  },
  "SystemMetrics": {
    "type": "object",
    "required": [
      "uptime_seconds",
      "window_seconds",
      "queue",
      "latencies"
    ],
    "properties": {
      "uptime_seconds": {
        "type": "integer",
        "minimum": 0
      },
      "window_seconds": {
        "type": "integer",
        "minimum": 1
      },
      "queue": {
        "$ref": "contract#/$defs/SystemQueue"
      },
      "latencies": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/SystemLatency"
        }
      }
    }
  },
  "SystemMetricsResponse": {
    "type": "object",
    "required": [
      "data",
      "metadata"
    ],
    "properties": {
      "data": {
        "$ref": "contract#/$defs/SystemMetrics"
      },
      "metadata": {
        "$ref": "contract#/$defs/ResponseMetadata"
      }
    }
  },
  "SystemPrompt": {
    "oneOf": [
      {
        "type": "string",
        "maxLength": 33554432
      },
      {
        "type": "array",
        "maxItems": 1000,
        "items": {
          "$ref": "contract#/$defs/InputBlock"
        }
      },
      {
        "type": "null"
      }
    ]
  },
  "SystemQueue": {
    "type": "object",
    "required": [
      "waiting",
      "running",
      "own_waiting",
      "own_running"
    ],
    "properties": {
      "waiting": {
        "type": "integer",
        "minimum": 0
      },
      "running": {
        "type": "integer",
        "minimum": 0
      },
      "own_waiting": {
        "type": "integer",
        "minimum": 0
      },
      "own_running": {
        "type": "integer",
        "minimum": 0
      }
    }
  },
  "SystemResources": {
    "type": "object",
    "required": [
      "cores",
      "load_average_1m",
      "memory_total_bytes",
      "memory_free_bytes",
      "process_memory_bytes",
      "heap_used_bytes",
      "event_loop_delay_p99_ms"
    ],
    "properties": {
      "cores": {
        "type": "integer",
        "minimum": 1
      },
      "load_average_1m": {
        "type": "number",
        "minimum": 0
      },
      "memory_total_bytes": {
        "type": "integer",
        "minimum": 0
      },
      "memory_free_bytes": {
        "type": "integer",
        "minimum": 0
      },
      "process_memory_bytes": {
        "type": "integer",
        "minimum": 0
      },
      "heap_used_bytes": {
        "type": "integer",
        "minimum": 0
      },
      "event_loop_delay_p99_ms": {
        "type": "number",
        "minimum": 0
      }
    }
  },
  "SystemResourcesResponse": {
    "type": "object",
    "required": [
      "data",
      "metadata"
    ],
    "properties": {
      "data": {
        "$ref": "contract#/$defs/SystemResources"
      },
      "metadata": {
        "$ref": "contract#/$defs/ResponseMetadata"
      }
    }
  },
  "TablesResult": {
    "type": "object",
    "required": [
      "type",
      "tables"
    ],
    "properties": {
      "type": {
        "type": "string",
        "enum": [
          "tables"
        ]
      },
      "tables": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/FoundTextTable"
        }
      }
    }
  },
  "Task": {
    "type": "object",
    "required": [
      "id",
      "task_type",
      "priority",
      "status",
      "progress",
      "attempts",
      "cost",
      "error",
      "request_id",
      "created_at",
      "started_at",
      "finished_at",
      "expires_at",
      "parameters",
      "result"
    ],
    "properties": {
      "id": {
        "type": "string",
        "format": "uuid"
      },
      "task_type": {
        "$ref": "contract#/$defs/TaskType"
      },
      "priority": {
        "$ref": "contract#/$defs/TaskPriority"
      },
      "status": {
        "$ref": "contract#/$defs/TaskStatus"
      },
      "progress": {
        "type": "integer",
        "minimum": 0,
        "maximum": 100
      },
      "attempts": {
        "type": "integer"
      },
      "cost": {
        "type": "number"
      },
      "error": {
        "anyOf": [
          {
            "$ref": "contract#/$defs/TaskError"
          },
          {
            "type": "null"
          }
        ]
      },
      "request_id": {
        "type": [
          "string",
          "null"
        ]
      },
      "created_at": {
        "type": "string",
        "format": "date-time"
      },
      "started_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time"
      },
      "finished_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time"
      },
      "expires_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time"
      },
      "parameters": {
        "type": "object",
        "maxProperties": 200,
        "additionalProperties": true
      },
      "result": {
        "type": [
          "object",
          "null"
        ],
        "additionalProperties": true
      }
    }
  },
  "TaskEntry": {
    "type": "object",
    "required": [
      "id",
      "task_type",
      "priority",
      "status",
      "progress",
      "attempts",
      "cost",
      "error",
      "request_id",
      "created_at",
      "started_at",
      "finished_at",
      "expires_at"
    ],
    "properties": {
      "id": {
        "type": "string",
        "format": "uuid"
      },
      "task_type": {
        "$ref": "contract#/$defs/TaskType"
      },
      "priority": {
        "$ref": "contract#/$defs/TaskPriority"
      },
      "status": {
        "$ref": "contract#/$defs/TaskStatus"
      },
      "progress": {
        "type": "integer",
        "minimum": 0,
        "maximum": 100
      },
      "attempts": {
        "type": "integer"
      },
      "cost": {
        "type": "number"
      },
      "error": {
        "anyOf": [
          {
            "$ref": "contract#/$defs/TaskError"
          },
          {
            "type": "null"
          }
        ]
      },
      "request_id": {
        "type": [
          "string",
          "null"
        ]
      },
      "created_at": {
        "type": "string",
        "format": "date-time"
      },
      "started_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time"
      },
      "finished_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time"
      },
      "expires_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time"
      }
    }
  },
  "TaskError": {
    "type": "object",
    "required": [
      "status",
      "error",
      "message"
    ],
    "properties": {
      "status": {
        "type": "integer"
      },
      "error": {
        "type": "string"
      },
      "message": {
        "type": "string"
      }
    }
  },
  "TaskList": {
    "type": "object",
    "required": [
      "tasks",
      "total",
      "limit",
      "offset"
    ],
    "properties": {
      "tasks": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/TaskEntry"
        }
      },
      "total": {
        "type": "integer"
      },
      "limit": {
        "type": "integer"
      },
      "offset": {
        "type": "integer"
      }
    }
  },
  "TaskListResponse": {
    "type": "object",
    "required": [
      "data",
      "metadata"
    ],
    "properties": {
      "data": {
        "$ref": "contract#/$defs/TaskList"
      },
      "metadata": {
        "$ref": "contract#/$defs/ResponseMetadata"
      }
    }
  },
  "TaskPriority": {
    "type": "string",
    "enum": [
      "low",
      "normal",
      "high",
      "urgent"
    ]
  },
  "TaskResponse": {
    "type": "object",
    "required": [
      "data",
      "metadata"
    ],
    "properties": {
      "data": {
        "$ref": "contract#/$defs/Task"
      },
      "metadata": {
        "$ref": "contract#/$defs/ResponseMetadata"
      }
    }
  },
  "TaskStatus": {
    "type": "string",
    "enum": [
      "queued",
      "running",
      "succeeded",
      "failed",
      "cancelled"
    ]
  },
  "TaskType": {
    "type": "string",
    "enum": [
      "createMemory",
      "queryMemories",
      "searchMemories",
      "createMemoryBatch",
      "createAgent",
      "generateWithAgent",
      "chatWithAgent",
      "indexRagDocument",
      "retrieveRagChunks",
      "generateWithRag",
      "indexSearchItems",
      "search",
      "generateStory",
      "createChatCompletion",
      "createCompletion",
      "createResponse",
      "createMessage",
      "countMessageTokens",
      "createEmbedding",
      "processAdvanced",
      "analyzeAdvanced",
      "generateAdvanced",
      "optimizeAdvanced",
      "processInputs",
      "analyzeInputs",
      "generateFromInputs",
      "transformInput",
      "runOmmBatch"
    ]
  },
  "TemplateVariable": {
    "type": "object",
    "additionalProperties": false,
    "required": [
      "name",
      "value"
    ],
    "properties": {
      "name": {
        "type": "string",
        "minLength": 1,
        "maxLength": 64,
        "pattern": "^[A-Za-z_][A-Za-z0-9_]*$",
        "x-fault": "must be letters, digits and underscores, and begin with no digit"
      },
      "value": {
        "type": "string",
        "maxLength": 20000
      }
    }
  },
  "TestWebhookRequest": {
    "type": "object",
    "additionalProperties": false,
    "required": [
      "event_type"
    ],
    "properties": {
      "event_type": {
        "$ref": "contract#/$defs/EventType"
      }
    }
  },
  "TextChangeMade": {
    "type": "object",
    "required": [
      "start",
      "end",
      "before",
      "after",
      "reason"
    ],
    "properties": {
      "start": {
        "type": "integer"
      },
      "end": {
        "type": "integer"
      },
      "before": {
        "type": "string"
      },
      "after": {
        "type": "string"
      },
      "reason": {
        "type": "string"
      }
    }
  },
  "TextChoice": {
    "type": "object",
    "maxProperties": 200,
    "additionalProperties": true,
    "required": [
      "index",
      "text",
      "finish_reason"
    ],
    "properties": {
      "index": {
        "type": "integer"
      },
      "text": {
        "type": "string"
      },
      "finish_reason": {
        "type": [
          "string",
          "null"
        ]
      },
      "logprobs": {
        "type": [
          "object",
          "null"
        ],
        "additionalProperties": true
      }
    }
  },
  "TextChunkChoice": {
    "type": "object",
    "additionalProperties": true,
    "required": [
      "index",
      "text"
    ],
    "properties": {
      "index": {
        "type": "integer"
      },
      "text": {
        "type": "string"
      },
      "finish_reason": {
        "type": [
          "string",
          "null"
        ]
      },
      "logprobs": {
        "type": [
          "object",
          "null"
        ],
        "additionalProperties": true
      }
    }
  },
  "TextCompletion": {
    "type": "object",
    "maxProperties": 200,
    "additionalProperties": true,
    "required": [
      "id",
      "object",
      "created",
      "model",
      "choices",
      "usage"
    ],
    "properties": {
      "id": {
        "type": "string"
      },
      "object": {
        "type": "string",
        "enum": [
          "text_completion"
        ]
      },
      "created": {
        "type": "integer"
      },
      "model": {
        "type": "string"
      },
      "choices": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/TextChoice"
        }
      },
      "usage": {
        "$ref": "contract#/$defs/CompletionUsage"
      }
    }
  },
  "TextCompletionChunk": {
    "type": "object",
    "additionalProperties": true,
    "required": [
      "id",
      "object",
      "created",
      "model",
      "choices"
    ],
    "properties": {
      "id": {
        "type": "string"
      },
      "object": {
        "type": "string",
        "enum": [
          "text_completion"
        ]
      },
      "created": {
        "type": "integer"
      },
      "model": {
        "type": "string"
      },
      "choices": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/TextChunkChoice"
        }
      },
      "usage": {
        "$ref": "contract#/$defs/StreamedUsage"
      }
    }
  },
  "TextCompletionEvent": {
    "anyOf": [
      {
        "$ref": "contract#/$defs/TextCompletionChunk"
      },
      {
        "$ref": "contract#/$defs/StreamError"
      }
    ]
  },
  "TextCounts": {
    "type": "object",
    "required": [
      "characters",
      "words",
      "sentences",
      "paragraphs",
      "average_sentence_words",
      "reading_time_seconds"
    ],
    "properties": {
      "characters": {
        "type": "integer"
      },
      "words": {
        "type": "integer"
      },
      "sentences": {
        "type": "integer"
      },
      "paragraphs": {
        "type": "integer"
      },
      "average_sentence_words": {
        "type": "number"
      },
      "reading_time_seconds": {
        "type": "integer"
      }
    }
  },
  "TextPart": {
    "type": "object",
    "maxProperties": 20,
    "additionalProperties": true,
    "required": [
      "type",
      "text"
    ],
    "properties": {
      "type": {
        "type": "string",
        "enum": [
          "text"
        ]
      },
      "text": {
        "type": "string"
      }
    }
  },
  "TextReadability": {
    "type": "object",
    "required": [
      "flesch_reading_ease",
      "flesch_kincaid_grade",
      "reading_level",
      "average_sentence_words",
      "average_word_syllables"
    ],
    "properties": {
      "flesch_reading_ease": {
        "type": [
          "number",
          "null"
        ]
      },
      "flesch_kincaid_grade": {
        "type": [
          "number",
          "null"
        ]
      },
      "reading_level": {
        "type": [
          "string",
          "null"
        ],
        "enum": [
          "very_easy",
          "easy",
          "standard",
          "difficult",
          "very_difficult",
          null
        ]
      },
      "average_sentence_words": {
        "type": "number"
      },
      "average_word_syllables": {
        "type": "number"
      }
    }
  },
  "TextSuggestion": {
    "type": "object",
    "required": [
      "start",
      "end",
      "before",
      "after",
      "reason"
    ],
    "properties": {
      "start": {
        "type": "integer"
      },
      "end": {
        "type": "integer"
      },
      "before": {
        "type": "string"
      },
      "after": {
        "type": [
          "string",
          "null"
        ]
      },
      "reason": {
        "type": "string"
      }
    }
  },
  "TextTone": {
    "type": "object",
    "required": [
      "sentiment",
      "sentiment_score",
      "formality",
      "signals"
    ],
    "properties": {
      "sentiment": {
        "type": "string",
        "enum": [
          "negative",
          "neutral",
          "positive"
        ]
      },
      "sentiment_score": {
        "type": "number",
        "minimum": -1,
        "maximum": 1
      },
      "formality": {
        "type": "string",
        "enum": [
          "informal",
          "neutral",
          "formal"
        ]
      },
      "signals": {
        "type": "array",
        "items": {
          "type": "string"
        }
      }
    }
  },
  "ThinkingConfiguration": {
    "type": [
      "object",
      "null"
    ],
    "maxProperties": 20,
    "additionalProperties": true,
    "properties": {
      "type": {
        "type": "string",
        "maxLength": 50
      }
    }
  },
  "Tier": {
    "type": "object",
    "required": [
      "name",
      "requests_per_second",
      "requests_per_minute",
      "requests_per_hour",
      "requests_per_day",
      "accounts"
    ],
    "properties": {
      "name": {
        "type": "string"
      },
      "requests_per_second": {
        "type": [
          "number",
          "null"
        ]
      },
      "requests_per_minute": {
        "type": [
          "number",
          "null"
        ]
      },
      "requests_per_hour": {
        "type": [
          "number",
          "null"
        ]
      },
      "requests_per_day": {
        "type": [
          "number",
          "null"
        ]
      },
      "accounts": {
        "type": "integer"
      }
    }
  },
  "TierList": {
    "type": "object",
    "required": [
      "tiers"
    ],
    "properties": {
      "tiers": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/Tier"
        }
      }
    }
  },
  "TierUsage": {
    "type": "object",
    "required": [
      "tier",
      "accounts",
      "requests",
      "tokens",
      "cost"
    ],
    "properties": {
      "tier": {
        "type": "string"
      },
      "accounts": {
        "type": "integer"
      },
      "requests": {
        "type": "integer"
      },
      "tokens": {
        "type": "integer"
      },
      "cost": {
        "type": "number"
      }
    }
  },
  "ToolCallDelta": {
    "type": "object",
    "additionalProperties": true,
    "properties": {
      "index": {
        "type": "integer"
      },
      "id": {
        "type": "string"
      },
      "type": {
        "type": "string",
        "enum": [
          "function"
        ]
      },
      "function": {
        "$ref": "contract#/$defs/FunctionCallDelta"
      }
    }
  },
  "Transaction": {
    "type": "object",
    "required": [
      "id",
      "type",
      "amount",
      "balance_after",
      "description",
      "reference_id",
      "request_id",
      "key_id",
      "status",
      "created_at"
    ],
    "properties": {
      "id": {
        "type": "string",
        "format": "uuid"
      },
      "type": {
        "type": "string",
        "enum": [
          "deposit",
          "charge",
          "refund",
          "adjustment",
          "bonus"
        ]
      },
      "amount": {
        "type": "number"
      },
      "balance_after": {
        "type": "number"
      },
      "description": {
        "type": "string"
      },
      "reference_id": {
        "type": [
          "string",
          "null"
        ]
      },
      "request_id": {
        "type": [
          "string",
          "null"
        ]
      },
      "key_id": {
        "type": [
          "string",
          "null"
        ],
        "format": "uuid"
      },
      "status": {
        "type": "string",
        "enum": [
          "posted"
        ]
      },
      "created_at": {
        "type": "string",
        "format": "date-time"
      }
    }
  },
  "TransactionList": {
    "type": "object",
    "required": [
      "transactions",
      "total",
      "limit",
      "offset"
    ],
    "properties": {
      "transactions": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/Transaction"
        }
      },
      "total": {
        "type": "integer"
      },
      "limit": {
        "type": "integer"
      },
      "offset": {
        "type": "integer"
      }
    }
  },
  "TransactionStats": {
    "type": "object",
    "required": [
      "total_deposited",
      "total_charged",
      "total_refunded",
      "total_adjusted",
      "total_bonus",
      "net",
      "count",
      "by_type"
    ],
    "properties": {
      "total_deposited": {
        "type": "number"
      },
      "total_charged": {
        "type": "number"
      },
      "total_refunded": {
        "type": "number"
      },
      "total_adjusted": {
        "type": "number"
      },
      "total_bonus": {
        "type": "number"
      },
      "net": {
        "type": "number"
      },
      "count": {
        "type": "integer"
      },
      "by_type": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/TransactionTypeTotal"
        }
      }
    }
  },
  "TransactionTypeTotal": {
    "type": "object",
    "required": [
      "type",
      "count",
      "amount"
    ],
    "properties": {
      "type": {
        "type": "string",
        "enum": [
          "deposit",
          "charge",
          "refund",
          "adjustment",
          "bonus"
        ]
      },
      "count": {
        "type": "integer"
      },
      "amount": {
        "type": "number"
      }
    }
  },
  "TransformInputRequest": {
    "type": "object",
    "additionalProperties": false,
    "required": [
      "input",
      "to"
    ],
    "properties": {
      "input": {
        "$ref": "contract#/$defs/OmmInput"
      },
      "to": {
        "$ref": "contract#/$defs/OmmTarget"
      },
      "resize": {
        "$ref": "contract#/$defs/OmmResize"
      },
      "crop": {
        "$ref": "contract#/$defs/OmmCrop"
      },
      "quality": {
        "type": "integer",
        "minimum": 1,
        "maximum": 100
      },
      "max_input_tokens": {
        "$ref": "contract#/$defs/OmmInputTokensMax",
        "default": 20000
      }
    }
  },
  "TranslateResult": {
    "type": "object",
    "required": [
      "type",
      "text",
      "source_language",
      "target_language"
    ],
    "properties": {
      "type": {
        "type": "string",
        "enum": [
          "translate"
        ]
      },
      "text": {
        "type": "string"
      },
      "source_language": {
        "type": [
          "string",
          "null"
        ]
      },
      "target_language": {
        "type": "string"
      }
    }
  },
  "UpdateAgentRequest": {
    "type": "object",
    "additionalProperties": false,
    "minProperties": 1,
    "properties": {
      "name": {
        "type": "string",
        "minLength": 1,
        "maxLength": 200
      },
      "system_prompt": {
        "$ref": "contract#/$defs/AgentSystemPrompt"
      },
      "model": {
        "$ref": "contract#/$defs/AgentModel"
      },
      "temperature": {
        "$ref": "contract#/$defs/AgentTemperature"
      },
      "max_tokens": {
        "$ref": "contract#/$defs/AgentMaxTokens"
      },
      "tools": {
        "$ref": "contract#/$defs/AgentTools"
      },
      "memory": {
        "$ref": "contract#/$defs/AgentMemory"
      },
      "metadata": {
        "$ref": "contract#/$defs/AgentMetadata"
      }
    }
  },
  "UpdateKeyRequest": {
    "type": "object",
    "additionalProperties": false,
    "required": [
      "name"
    ],
    "properties": {
      "name": {
        "type": "string",
        "minLength": 1,
        "maxLength": 100
      }
    }
  },
  "UpdateUserRequest": {
    "type": "object",
    "additionalProperties": false,
    "minProperties": 1,
    "properties": {
      "tier": {
        "type": "string",
        "enum": [
          "free",
          "basic",
          "pro",
          "enterprise"
        ]
      },
      "rate_limits": {
        "$ref": "contract#/$defs/CustomRateLimitsRequest"
      },
      "is_active": {
        "type": "boolean"
      },
      "reason": {
        "type": "string",
        "minLength": 1,
        "maxLength": 500
      }
    }
  },
  "UpdateWebhookRequest": {
    "type": "object",
    "additionalProperties": false,
    "minProperties": 1,
    "properties": {
      "url": {
        "type": "string",
        "minLength": 1,
        "maxLength": 2048
      },
      "events": {
        "type": "array",
        "minItems": 1,
        "maxItems": 15,
        "uniqueItems": true,
        "items": {
          "$ref": "contract#/$defs/WebhookSubscription"
        }
      },
      "is_active": {
        "type": "boolean"
      },
      "description": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 500
      }
    }
  },
  "UpgradeRequest": {
    "type": "object",
    "required": [
      "id",
      "requested_tier",
      "reason",
      "estimated_requests_per_day",
      "status",
      "created_at"
    ],
    "properties": {
      "id": {
        "type": "string",
        "format": "uuid"
      },
      "requested_tier": {
        "type": "string",
        "enum": [
          "basic",
          "pro",
          "enterprise"
        ]
      },
      "reason": {
        "type": "string"
      },
      "estimated_requests_per_day": {
        "type": [
          "integer",
          "null"
        ]
      },
      "status": {
        "type": "string",
        "enum": [
          "pending",
          "approved",
          "rejected"
        ]
      },
      "created_at": {
        "type": "string",
        "format": "date-time"
      }
    }
  },
  "UploadDocumentRequest": {
    "type": "object",
    "additionalProperties": false,
    "required": [
      "file"
    ],
    "properties": {
      "file": {
        "type": "string",
        "format": "binary"
      },
      "metadata": {
        "$ref": "contract#/$defs/UploadMetadata"
      }
    }
  },
  "UploadMetadata": {
    "type": "object",
    "maxProperties": 100,
    "additionalProperties": true,
    "properties": {
      "title": {
        "type": [
          "string",
          "null"
        ],
        "minLength": 1,
        "maxLength": 300
      },
      "type": {
        "type": [
          "string",
          "null"
        ],
        "minLength": 1,
        "maxLength": 200
      }
    }
  },
  "UploadedDocument": {
    "type": "object",
    "required": [
      "id",
      "name",
      "title",
      "type",
      "media_type",
      "size_bytes",
      "checksum",
      "metadata",
      "status",
      "progress",
      "error",
      "pages",
      "language",
      "characters",
      "tokens",
      "chunks",
      "truncated",
      "created_at",
      "updated_at",
      "processed_at",
      "deduplicated"
    ],
    "properties": {
      "id": {
        "type": "string",
        "format": "uuid"
      },
      "name": {
        "type": "string"
      },
      "title": {
        "type": "string"
      },
      "type": {
        "$ref": "contract#/$defs/DocumentFileType"
      },
      "media_type": {
        "type": "string"
      },
      "size_bytes": {
        "type": "integer"
      },
      "checksum": {
        "type": "string"
      },
      "metadata": {
        "type": "object",
        "maxProperties": 200,
        "additionalProperties": true
      },
      "status": {
        "$ref": "contract#/$defs/DocumentStatus"
      },
      "progress": {
        "type": "integer"
      },
      "error": {
        "type": [
          "string",
          "null"
        ]
      },
      "pages": {
        "type": [
          "integer",
          "null"
        ]
      },
      "language": {
        "type": [
          "string",
          "null"
        ]
      },
      "characters": {
        "type": [
          "integer",
          "null"
        ]
      },
      "tokens": {
        "type": [
          "integer",
          "null"
        ]
      },
      "chunks": {
        "type": [
          "integer",
          "null"
        ]
      },
      "truncated": {
        "type": "boolean"
      },
      "created_at": {
        "type": "string",
        "format": "date-time"
      },
      "updated_at": {
        "type": "string",
        "format": "date-time"
      },
      "processed_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time"
      },
      "deduplicated": {
        "type": "boolean"
      }
    }
  },
  "UploadedDocumentResponse": {
    "type": "object",
    "required": [
      "data",
      "metadata"
    ],
    "properties": {
      "data": {
        "$ref": "contract#/$defs/UploadedDocument"
      },
      "metadata": {
        "$ref": "contract#/$defs/ResponseMetadata"
      }
    }
  },
  "UpstreamHealth": {
    "type": "object",
    "required": [
      "name",
      "status",
      "detail",
      "models"
    ],
    "properties": {
      "name": {
        "type": "string"
      },
      "status": {
        "type": "string",
        "enum": [
          "ok",
          "unavailable"
        ]
      },
      "detail": {
        "type": [
          "string",
          "null"
        ]
      },
      "models": {
        "type": [
          "array",
          "null"
        ],
        "items": {
          "type": "string"
        }
      }
    }
  },
  "Usage": {
    "type": "object",
    "required": [
      "requests_today",
      "cost_today",
      "tokens_today",
      "period",
      "by_operation",
      "daily"
    ],
    "properties": {
      "requests_today": {
        "type": "integer"
      },
      "cost_today": {
        "type": "number"
      },
      "tokens_today": {
        "type": "integer"
      },
      "period": {
        "$ref": "contract#/$defs/UsagePeriod"
      },
      "by_operation": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/OperationUsage"
        }
      },
      "daily": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/DailyUsage"
        }
      }
    }
  },
  "UsageLimitExceededData": {
    "type": "object",
    "required": [
      "user_id",
      "access_key_id",
      "limit_type",
      "limit",
      "spent",
      "exceeded_by",
      "request_route",
      "request_cost",
      "resets_at"
    ],
    "properties": {
      "user_id": {
        "type": "string",
        "format": "uuid"
      },
      "access_key_id": {
        "type": "string",
        "format": "uuid"
      },
      "limit_type": {
        "type": "string",
        "enum": [
          "daily",
          "monthly"
        ]
      },
      "limit": {
        "type": "number"
      },
      "spent": {
        "type": "number"
      },
      "exceeded_by": {
        "type": "number"
      },
      "request_route": {
        "type": [
          "string",
          "null"
        ]
      },
      "request_cost": {
        "type": "number"
      },
      "resets_at": {
        "type": "string",
        "format": "date-time"
      },
      "test": {
        "type": "boolean",
        "enum": [
          true
        ]
      }
    }
  },
  "UsageLimitExceededEvent": {
    "type": "object",
    "required": [
      "event_id",
      "event_type",
      "timestamp",
      "data",
      "signature"
    ],
    "properties": {
      "event_id": {
        "type": "string",
        "format": "uuid"
      },
      "event_type": {
        "type": "string",
        "enum": [
          "usage.limit_exceeded"
        ]
      },
      "timestamp": {
        "type": "string",
        "format": "date-time"
      },
      "data": {
        "$ref": "contract#/$defs/UsageLimitExceededData"
      },
      "signature": {
        "type": "string"
      }
    }
  },
  "UsagePeriod": {
    "type": "object",
    "required": [
      "start_date",
      "end_date",
      "requests",
      "successful",
      "failed",
      "tokens",
      "cost"
    ],
    "properties": {
      "start_date": {
        "type": "string",
        "format": "date-time"
      },
      "end_date": {
        "type": "string",
        "format": "date-time"
      },
      "requests": {
        "type": "integer"
      },
      "successful": {
        "type": "integer"
      },
      "failed": {
        "type": "integer"
      },
      "tokens": {
        "type": "integer"
      },
      "cost": {
        "type": "number"
      }
    }
  },
  "UsagePoint": {
    "type": "object",
    "required": [
      "start",
      "requests",
      "successful",
      "tokens",
      "cost"
    ],
    "properties": {
      "start": {
        "type": "string",
        "format": "date-time"
      },
      "key_id": {
        "type": [
          "string",
          "null"
        ],
        "format": "uuid"
      },
      "operation": {
        "type": "string"
      },
      "model": {
        "type": [
          "string",
          "null"
        ]
      },
      "requests": {
        "type": "integer"
      },
      "successful": {
        "type": "integer"
      },
      "tokens": {
        "type": "integer"
      },
      "cost": {
        "type": "number"
      }
    }
  },
  "UsageSeries": {
    "type": "object",
    "required": [
      "interval",
      "timezone",
      "start_date",
      "end_date",
      "totals",
      "points",
      "truncated"
    ],
    "properties": {
      "interval": {
        "type": "string",
        "enum": [
          "hour",
          "day"
        ]
      },
      "timezone": {
        "type": "string"
      },
      "start_date": {
        "type": "string",
        "format": "date-time"
      },
      "end_date": {
        "type": "string",
        "format": "date-time"
      },
      "totals": {
        "$ref": "contract#/$defs/UsageTotals"
      },
      "points": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/UsagePoint"
        }
      },
      "truncated": {
        "type": "boolean"
      }
    }
  },
  "UsageSpikeData": {
    "type": "object",
    "required": [
      "user_id",
      "hour_starts_at",
      "spent",
      "hourly_mean",
      "factor"
    ],
    "properties": {
      "user_id": {
        "type": "string",
        "format": "uuid"
      },
      "hour_starts_at": {
        "type": "string",
        "format": "date-time"
      },
      "spent": {
        "type": "number"
      },
      "hourly_mean": {
        "type": "number"
      },
      "factor": {
        "type": "number"
      },
      "test": {
        "type": "boolean",
        "enum": [
          true
        ]
      }
    }
  },
  "UsageSpikeEvent": {
    "type": "object",
    "required": [
      "event_id",
      "event_type",
      "timestamp",
      "data",
      "signature"
    ],
    "properties": {
      "event_id": {
        "type": "string",
        "format": "uuid"
      },
      "event_type": {
        "type": "string",
        "enum": [
          "usage.spike"
        ]
      },
      "timestamp": {
        "type": "string",
        "format": "date-time"
      },
      "data": {
        "$ref": "contract#/$defs/UsageSpikeData"
      },
      "signature": {
        "type": "string"
      }
    }
  },
  "UsageSummary": {
    "type": "object",
    "required": [
      "today",
      "this_month",
      "all_time",
      "balance"
    ],
    "properties": {
      "today": {
        "$ref": "contract#/$defs/UsageTotals"
      },
      "this_month": {
        "$ref": "contract#/$defs/UsageTotals"
      },
      "all_time": {
        "$ref": "contract#/$defs/UsageTotals"
      },
      "balance": {
        "type": "number"
      }
    }
  },
  "UsageThresholdData": {
    "type": "object",
    "required": [
      "user_id",
      "access_key_id",
      "limit_type",
      "limit",
      "spent",
      "threshold_percent",
      "resets_at"
    ],
    "properties": {
      "user_id": {
        "type": "string",
        "format": "uuid"
      },
      "access_key_id": {
        "type": "string",
        "format": "uuid"
      },
      "limit_type": {
        "type": "string",
        "enum": [
          "daily",
          "monthly"
        ]
      },
      "limit": {
        "type": "number"
      },
      "spent": {
        "type": "number"
      },
      "threshold_percent": {
        "type": "integer"
      },
      "resets_at": {
        "type": "string",
        "format": "date-time"
      },
      "test": {
        "type": "boolean",
        "enum": [
          true
        ]
      }
    }
  },
  "UsageThresholdEvent": {
    "type": "object",
    "required": [
      "event_id",
      "event_type",
      "timestamp",
      "data",
      "signature"
    ],
    "properties": {
      "event_id": {
        "type": "string",
        "format": "uuid"
      },
      "event_type": {
        "type": "string",
        "enum": [
          "usage.threshold"
        ]
      },
      "timestamp": {
        "type": "string",
        "format": "date-time"
      },
      "data": {
        "$ref": "contract#/$defs/UsageThresholdData"
      },
      "signature": {
        "type": "string"
      }
    }
  },
  "UsageTotals": {
    "type": "object",
    "required": [
      "requests",
      "tokens",
      "cost"
    ],
    "properties": {
      "requests": {
        "type": "integer"
      },
      "tokens": {
        "type": "integer"
      },
      "cost": {
        "type": "number"
      }
    }
  },
  "User": {
    "type": "object",
    "required": [
      "id",
      "email",
      "username",
      "role",
      "is_email_verified",
      "created_at"
    ],
    "properties": {
      "id": {
        "type": "string",
        "format": "uuid"
      },
      "email": {
        "type": "string"
      },
      "username": {
        "type": "string"
      },
      "role": {
        "type": "string",
        "enum": [
          "user",
          "admin"
        ]
      },
      "is_email_verified": {
        "type": "boolean"
      },
      "created_at": {
        "type": "string",
        "format": "date-time"
      }
    }
  },
  "UserReference": {
    "type": "object",
    "required": [
      "id",
      "email",
      "username",
      "tier"
    ],
    "properties": {
      "id": {
        "type": "string",
        "format": "uuid"
      },
      "email": {
        "type": "string"
      },
      "username": {
        "type": "string"
      },
      "tier": {
        "type": "string",
        "enum": [
          "free",
          "basic",
          "pro",
          "enterprise"
        ]
      }
    }
  },
  "ValidationDetail": {
    "type": "object",
    "required": [
      "field",
      "message"
    ],
    "properties": {
      "field": {
        "type": "string"
      },
      "message": {
        "type": "string"
      }
    }
  },
  "ValidationError": {
    "type": "object",
    "required": [
      "error",
      "message",
      "request_id",
      "timestamp"
    ],
    "properties": {
      "error": {
        "type": "string"
      },
      "message": {
        "type": "string"
      },
      "request_id": {
        "type": "string"
      },
      "timestamp": {
        "type": "string",
        "format": "date-time"
      },
      "details": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/ValidationDetail"
        }
      }
    }
  },
  "WaitingReceiver": {
    "type": "object",
    "required": [
      "receiver",
      "waiting",
      "oldest_due_at",
      "slow_since"
    ],
    "properties": {
      "receiver": {
        "type": "string"
      },
      "waiting": {
        "type": "integer"
      },
      "oldest_due_at": {
        "type": "string",
        "format": "date-time"
      },
      "slow_since": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time"
      }
    }
  },
  "Webhook": {
    "type": "object",
    "required": [
      "id",
      "url",
      "events",
      "is_active",
      "disabled_reason",
      "description",
      "failing_since",
      "last_delivered_at",
      "created_at"
    ],
    "properties": {
      "id": {
        "type": "string",
        "format": "uuid"
      },
      "url": {
        "type": "string"
      },
      "events": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/WebhookSubscription"
        }
      },
      "is_active": {
        "type": "boolean"
      },
      "disabled_reason": {
        "type": [
          "string",
          "null"
        ]
      },
      "description": {
        "type": [
          "string",
          "null"
        ]
      },
      "failing_since": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time"
      },
      "last_delivered_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time"
      },
      "created_at": {
        "type": "string",
        "format": "date-time"
      }
    }
  },
  "WebhookCounts": {
    "type": "object",
    "required": [
      "active",
      "inactive",
      "switched_off"
    ],
    "properties": {
      "active": {
        "type": "integer"
      },
      "inactive": {
        "type": "integer"
      },
      "switched_off": {
        "type": "integer"
      }
    }
  },
  "WebhookDelivery": {
    "type": "object",
    "required": [
      "id",
      "webhook_id",
      "event_id",
      "event_type",
      "url",
      "status",
      "response_status",
      "response_body",
      "error_message",
      "retry_count",
      "next_attempt_at",
      "delivered_at",
      "failed_at",
      "abandoned_at",
      "created_at",
      "attempts"
    ],
    "properties": {
      "id": {
        "type": "string",
        "format": "uuid"
      },
      "webhook_id": {
        "type": "string",
        "format": "uuid"
      },
      "event_id": {
        "type": "string",
        "format": "uuid"
      },
      "event_type": {
        "$ref": "contract#/$defs/EventType"
      },
      "url": {
        "type": "string"
      },
      "status": {
        "type": "string",
        "enum": [
          "pending",
          "success",
          "failed"
        ]
      },
      "response_status": {
        "type": [
          "integer",
          "null"
        ]
      },
      "response_body": {
        "type": [
          "string",
          "null"
        ]
      },
      "error_message": {
        "type": [
          "string",
          "null"
        ]
      },
      "retry_count": {
        "type": "integer"
      },
      "next_attempt_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time"
      },
      "delivered_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time"
      },
      "failed_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time"
      },
      "abandoned_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time"
      },
      "created_at": {
        "type": "string",
        "format": "date-time"
      },
      "attempts": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/DeliveryAttempt"
        }
      }
    }
  },
  "WebhookDeliveryDetails": {
    "type": "object",
    "required": [
      "id",
      "webhook_id",
      "event_id",
      "event_type",
      "url",
      "status",
      "response_status",
      "response_body",
      "error_message",
      "retry_count",
      "next_attempt_at",
      "delivered_at",
      "failed_at",
      "abandoned_at",
      "created_at",
      "attempts",
      "request"
    ],
    "properties": {
      "id": {
        "type": "string",
        "format": "uuid"
      },
      "webhook_id": {
        "type": "string",
        "format": "uuid"
      },
      "event_id": {
        "type": "string",
        "format": "uuid"
      },
      "event_type": {
        "$ref": "contract#/$defs/EventType"
      },
      "url": {
        "type": "string"
      },
      "status": {
        "type": "string",
        "enum": [
          "pending",
          "success",
          "failed"
        ]
      },
      "response_status": {
        "type": [
          "integer",
          "null"
        ]
      },
      "response_body": {
        "type": [
          "string",
          "null"
        ]
      },
      "error_message": {
        "type": [
          "string",
          "null"
        ]
      },
      "retry_count": {
        "type": "integer"
      },
      "next_attempt_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time"
      },
      "delivered_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time"
      },
      "failed_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time"
      },
      "abandoned_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time"
      },
      "created_at": {
        "type": "string",
        "format": "date-time"
      },
      "attempts": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/DeliveryAttempt"
        }
      },
      "request": {
        "$ref": "contract#/$defs/DeliveryRequest"
      }
    }
  },
  "WebhookList": {
    "type": "object",
    "required": [
      "webhooks",
      "total",
      "limit",
      "offset"
    ],
    "properties": {
      "webhooks": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/Webhook"
        }
      },
      "total": {
        "type": "integer"
      },
      "limit": {
        "type": "integer"
      },
      "offset": {
        "type": "integer"
      }
    }
  },
  "WebhookSecret": {
    "type": "object",
    "required": [
      "id",
      "url",
      "secret",
      "previous_secret_until",
      "events",
      "is_active",
      "disabled_reason",
      "description",
      "failing_since",
      "last_delivered_at",
      "created_at"
    ],
    "properties": {
      "id": {
        "type": "string",
        "format": "uuid"
      },
      "url": {
        "type": "string"
      },
      "secret": {
        "type": "string"
      },
      "previous_secret_until": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time"
      },
      "events": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/WebhookSubscription"
        }
      },
      "is_active": {
        "type": "boolean"
      },
      "disabled_reason": {
        "type": [
          "string",
          "null"
        ]
      },
      "description": {
        "type": [
          "string",
          "null"
        ]
      },
      "failing_since": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time"
      },
      "last_delivered_at": {
        "type": [
          "string",
          "null"
        ],
        "format": "date-time"
      },
      "created_at": {
        "type": "string",
        "format": "date-time"
      }
    }
  },
  "WebhookSubscription": {
    "type": "string",
    "enum": [
      "payment.created",
      "payment.confirming",
      "payment.confirmed",
      "payment.failed",
      "payment.expired",
      "balance.updated",
      "balance.low",
      "balance.depleted",
      "usage.limit_exceeded",
      "usage.threshold",
      "usage.spike",
      "anomaly.detected",
      "rate_limit.exceeded",
      "key.revoked",
      "*"
    ]
  },
  "WebhooksHealth": {
    "type": "object",
    "required": [
      "events_waiting",
      "oldest_event_age_seconds",
      "deliveries_due",
      "deliveries_handed",
      "deliveries_later",
      "failed_last_24h",
      "abandoned_last_24h",
      "switched_off_webhooks",
      "receivers",
      "checked_at"
    ],
    "properties": {
      "events_waiting": {
        "type": "integer"
      },
      "oldest_event_age_seconds": {
        "type": [
          "number",
          "null"
        ]
      },
      "deliveries_due": {
        "type": "integer"
      },
      "deliveries_handed": {
        "type": "integer"
      },
      "deliveries_later": {
        "type": "integer"
      },
      "failed_last_24h": {
        "type": "integer"
      },
      "abandoned_last_24h": {
        "type": "integer"
      },
      "switched_off_webhooks": {
        "type": "integer"
      },
      "receivers": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/WaitingReceiver"
        }
      },
      "checked_at": {
        "type": "string",
        "format": "date-time"
      }
    }
  },
  "ListKeysQuery": {
    "type": "object",
    "additionalProperties": false,
    "required": [],
    "properties": {
      "limit": {
        "type": "integer",
        "minimum": 1,
        "maximum": 100,
        "default": 100
      },
      "offset": {
        "type": "integer",
        "minimum": 0,
        "maximum": 100000,
        "default": 0
      },
      "sort": {
        "type": "string",
        "enum": [
          "created_at",
          "expires_at",
          "last_used_at",
          "name"
        ],
        "default": "created_at"
      },
      "order": {
        "type": "string",
        "enum": [
          "asc",
          "desc"
        ],
        "default": "desc"
      },
      "start_date": {
        "type": "string",
        "format": "date-or-date-time"
      },
      "end_date": {
        "type": "string",
        "format": "date-or-date-time"
      },
      "status": {
        "type": "string",
        "enum": [
          "active",
          "revoked",
          "expired"
        ]
      }
    }
  },
  "ListTransactionsQuery": {
    "type": "object",
    "additionalProperties": false,
    "required": [],
    "properties": {
      "limit": {
        "type": "integer",
        "minimum": 1,
        "maximum": 100,
        "default": 20
      },
      "offset": {
        "type": "integer",
        "minimum": 0,
        "maximum": 100000,
        "default": 0
      },
      "sort": {
        "type": "string",
        "enum": [
          "created_at",
          "amount"
        ],
        "default": "created_at"
      },
      "order": {
        "type": "string",
        "enum": [
          "asc",
          "desc"
        ],
        "default": "desc"
      },
      "start_date": {
        "type": "string",
        "format": "date-or-date-time"
      },
      "end_date": {
        "type": "string",
        "format": "date-or-date-time"
      },
      "status": {
        "type": "string",
        "enum": [
          "posted"
        ]
      },
      "type": {
        "type": "string",
        "enum": [
          "deposit",
          "charge",
          "refund",
          "adjustment",
          "bonus"
        ]
      }
    }
  },
  "GetTransactionStatsQuery": {
    "type": "object",
    "additionalProperties": false,
    "required": [],
    "properties": {
      "start_date": {
        "type": "string",
        "format": "date-or-date-time"
      },
      "end_date": {
        "type": "string",
        "format": "date-or-date-time"
      }
    }
  },
  "ExportTransactionsQuery": {
    "type": "object",
    "additionalProperties": false,
    "required": [],
    "properties": {
      "start_date": {
        "type": "string",
        "format": "date-or-date-time"
      },
      "end_date": {
        "type": "string",
        "format": "date-or-date-time"
      },
      "type": {
        "type": "string",
        "enum": [
          "deposit",
          "charge",
          "refund",
          "adjustment",
          "bonus"
        ]
      }
    }
  },
  "WatchPaymentsQuery": {
    "type": "object",
    "additionalProperties": false,
    "required": [],
    "properties": {
      "seconds": {
        "type": "integer",
        "minimum": 0,
        "maximum": 600,
        "default": 600
      }
    }
  },
  "ListPaymentsQuery": {
    "type": "object",
    "additionalProperties": false,
    "required": [],
    "properties": {
      "limit": {
        "type": "integer",
        "minimum": 1,
        "maximum": 100,
        "default": 20
      },
      "offset": {
        "type": "integer",
        "minimum": 0,
        "maximum": 100000,
        "default": 0
      },
      "sort": {
        "type": "string",
        "enum": [
          "created_at",
          "detected_at",
          "confirmed_at",
          "expires_at",
          "amount_usd"
        ],
        "default": "created_at"
      },
      "order": {
        "type": "string",
        "enum": [
          "asc",
          "desc"
        ],
        "default": "desc"
      },
      "start_date": {
        "type": "string",
        "format": "date-or-date-time"
      },
      "end_date": {
        "type": "string",
        "format": "date-or-date-time"
      },
      "status": {
        "$ref": "contract#/$defs/PaymentStatus"
      },
      "currency": {
        "$ref": "contract#/$defs/PaymentCurrency"
      }
    }
  },
  "GetOverviewQuery": {
    "type": "object",
    "additionalProperties": false,
    "required": [],
    "properties": {
      "days": {
        "type": "integer",
        "minimum": 1,
        "maximum": 92,
        "default": 30
      },
      "timezone": {
        "type": "string",
        "format": "time-zone",
        "maxLength": 64,
        "default": "UTC"
      }
    }
  },
  "ListOwnUpgradeRequestsQuery": {
    "type": "object",
    "additionalProperties": false,
    "required": [],
    "properties": {
      "limit": {
        "type": "integer",
        "minimum": 1,
        "maximum": 100,
        "default": 20
      },
      "offset": {
        "type": "integer",
        "minimum": 0,
        "maximum": 100000,
        "default": 0
      }
    }
  },
  "GetUsageQuery": {
    "type": "object",
    "additionalProperties": false,
    "required": [],
    "properties": {
      "start_date": {
        "type": "string",
        "format": "date-or-date-time"
      },
      "end_date": {
        "type": "string",
        "format": "date-or-date-time"
      }
    }
  },
  "GetUsageSeriesQuery": {
    "type": "object",
    "additionalProperties": false,
    "required": [],
    "properties": {
      "start_date": {
        "type": "string",
        "format": "date-or-date-time"
      },
      "end_date": {
        "type": "string",
        "format": "date-or-date-time"
      },
      "timezone": {
        "type": "string",
        "format": "time-zone",
        "maxLength": 64,
        "default": "UTC"
      },
      "interval": {
        "type": "string",
        "enum": [
          "hour",
          "day"
        ],
        "default": "day"
      },
      "by_key": {
        "type": "boolean",
        "default": false
      },
      "by_operation": {
        "type": "boolean",
        "default": false
      },
      "by_model": {
        "type": "boolean",
        "default": false
      },
      "key_id": {
        "type": "string",
        "format": "uuid"
      },
      "operation": {
        "type": "string",
        "minLength": 1,
        "maxLength": 100
      }
    }
  },
  "ListRequestsQuery": {
    "type": "object",
    "additionalProperties": false,
    "required": [],
    "properties": {
      "limit": {
        "type": "integer",
        "minimum": 1,
        "maximum": 100,
        "default": 20
      },
      "cursor": {
        "type": "string",
        "minLength": 1,
        "maxLength": 200
      },
      "start_date": {
        "type": "string",
        "format": "date-or-date-time"
      },
      "end_date": {
        "type": "string",
        "format": "date-or-date-time"
      },
      "key_id": {
        "type": "string",
        "format": "uuid"
      },
      "operation": {
        "type": "string",
        "minLength": 1,
        "maxLength": 100
      },
      "model": {
        "type": "string",
        "minLength": 1,
        "maxLength": 200
      },
      "outcome": {
        "type": "string",
        "enum": [
          "settled",
          "released",
          "refused",
          "expired"
        ]
      },
      "status": {
        "type": "integer",
        "minimum": 100,
        "maximum": 599
      },
      "min_cost": {
        "type": "number",
        "minimum": 0,
        "maximum": 1000000
      }
    }
  },
  "GetCostsQuery": {
    "type": "object",
    "additionalProperties": false,
    "required": [],
    "properties": {
      "start_date": {
        "type": "string",
        "format": "date-or-date-time"
      },
      "end_date": {
        "type": "string",
        "format": "date-or-date-time"
      }
    }
  },
  "GetKeyUsageQuery": {
    "type": "object",
    "additionalProperties": false,
    "required": [],
    "properties": {
      "start_date": {
        "type": "string",
        "format": "date-or-date-time"
      },
      "end_date": {
        "type": "string",
        "format": "date-or-date-time"
      }
    }
  },
  "ListAgentsQuery": {
    "type": "object",
    "additionalProperties": false,
    "required": [],
    "properties": {
      "limit": {
        "type": "integer",
        "minimum": 1,
        "maximum": 100,
        "default": 20
      },
      "offset": {
        "type": "integer",
        "minimum": 0,
        "maximum": 100000,
        "default": 0
      },
      "sort": {
        "type": "string",
        "enum": [
          "created_at",
          "updated_at",
          "name"
        ],
        "default": "created_at"
      },
      "order": {
        "type": "string",
        "enum": [
          "asc",
          "desc"
        ],
        "default": "desc"
      },
      "start_date": {
        "type": "string",
        "format": "date-or-date-time"
      },
      "end_date": {
        "type": "string",
        "format": "date-or-date-time"
      }
    }
  },
  "ListRagDocumentsQuery": {
    "type": "object",
    "additionalProperties": false,
    "required": [],
    "properties": {
      "limit": {
        "type": "integer",
        "minimum": 1,
        "maximum": 100,
        "default": 20
      },
      "offset": {
        "type": "integer",
        "minimum": 0,
        "maximum": 100000,
        "default": 0
      },
      "sort": {
        "type": "string",
        "enum": [
          "created_at",
          "updated_at",
          "document_id"
        ],
        "default": "created_at"
      },
      "order": {
        "type": "string",
        "enum": [
          "asc",
          "desc"
        ],
        "default": "desc"
      },
      "start_date": {
        "type": "string",
        "format": "date-or-date-time"
      },
      "end_date": {
        "type": "string",
        "format": "date-or-date-time"
      },
      "collection": {
        "type": "string",
        "minLength": 1,
        "maxLength": 100
      }
    }
  },
  "ListTasksQuery": {
    "type": "object",
    "additionalProperties": false,
    "required": [],
    "properties": {
      "limit": {
        "type": "integer",
        "minimum": 1,
        "maximum": 100,
        "default": 20
      },
      "offset": {
        "type": "integer",
        "minimum": 0,
        "maximum": 100000,
        "default": 0
      },
      "sort": {
        "type": "string",
        "enum": [
          "created_at",
          "started_at",
          "finished_at",
          "expires_at",
          "priority"
        ],
        "default": "created_at"
      },
      "order": {
        "type": "string",
        "enum": [
          "asc",
          "desc"
        ],
        "default": "desc"
      },
      "start_date": {
        "type": "string",
        "format": "date-or-date-time"
      },
      "end_date": {
        "type": "string",
        "format": "date-or-date-time"
      },
      "status": {
        "$ref": "contract#/$defs/TaskStatus"
      },
      "priority": {
        "$ref": "contract#/$defs/TaskPriority"
      },
      "task_type": {
        "$ref": "contract#/$defs/TaskType"
      }
    }
  },
  "ListStoriesQuery": {
    "type": "object",
    "additionalProperties": false,
    "required": [],
    "properties": {
      "limit": {
        "type": "integer",
        "minimum": 1,
        "maximum": 100,
        "default": 20
      },
      "offset": {
        "type": "integer",
        "minimum": 0,
        "maximum": 100000,
        "default": 0
      },
      "sort": {
        "type": "string",
        "enum": [
          "created_at",
          "title"
        ],
        "default": "created_at"
      },
      "order": {
        "type": "string",
        "enum": [
          "asc",
          "desc"
        ],
        "default": "desc"
      },
      "start_date": {
        "type": "string",
        "format": "date-or-date-time"
      },
      "end_date": {
        "type": "string",
        "format": "date-or-date-time"
      }
    }
  },
  "CreateMessageQuery": {
    "type": "object",
    "additionalProperties": false,
    "required": [],
    "properties": {
      "beta": {
        "type": "string",
        "maxLength": 100
      }
    }
  },
  "CountMessageTokensQuery": {
    "type": "object",
    "additionalProperties": false,
    "required": [],
    "properties": {
      "beta": {
        "type": "string",
        "maxLength": 100
      }
    }
  },
  "ListDocumentsQuery": {
    "type": "object",
    "additionalProperties": false,
    "required": [],
    "properties": {
      "limit": {
        "type": "integer",
        "minimum": 1,
        "maximum": 100,
        "default": 20
      },
      "offset": {
        "type": "integer",
        "minimum": 0,
        "maximum": 100000,
        "default": 0
      },
      "status": {
        "$ref": "contract#/$defs/DocumentStatus"
      },
      "type": {
        "$ref": "contract#/$defs/DocumentFileType"
      },
      "sort": {
        "type": "string",
        "enum": [
          "created_at",
          "updated_at",
          "processed_at",
          "title",
          "size_bytes"
        ],
        "default": "created_at"
      },
      "order": {
        "type": "string",
        "enum": [
          "asc",
          "desc"
        ],
        "default": "desc"
      },
      "start_date": {
        "type": "string",
        "format": "date-or-date-time"
      },
      "end_date": {
        "type": "string",
        "format": "date-or-date-time"
      }
    }
  },
  "ListWebhooksQuery": {
    "type": "object",
    "additionalProperties": false,
    "required": [],
    "properties": {
      "limit": {
        "type": "integer",
        "minimum": 1,
        "maximum": 100,
        "default": 20
      },
      "offset": {
        "type": "integer",
        "minimum": 0,
        "maximum": 100000,
        "default": 0
      },
      "sort": {
        "type": "string",
        "enum": [
          "created_at",
          "last_delivered_at",
          "failing_since"
        ],
        "default": "created_at"
      },
      "order": {
        "type": "string",
        "enum": [
          "asc",
          "desc"
        ],
        "default": "desc"
      },
      "start_date": {
        "type": "string",
        "format": "date-or-date-time"
      },
      "end_date": {
        "type": "string",
        "format": "date-or-date-time"
      },
      "status": {
        "type": "string",
        "enum": [
          "active",
          "inactive"
        ]
      }
    }
  },
  "ListDeliveriesQuery": {
    "type": "object",
    "additionalProperties": false,
    "required": [],
    "properties": {
      "limit": {
        "type": "integer",
        "minimum": 1,
        "maximum": 100,
        "default": 20
      },
      "offset": {
        "type": "integer",
        "minimum": 0,
        "maximum": 100000,
        "default": 0
      },
      "sort": {
        "type": "string",
        "enum": [
          "created_at",
          "next_attempt_at",
          "delivered_at",
          "failed_at",
          "abandoned_at"
        ],
        "default": "created_at"
      },
      "order": {
        "type": "string",
        "enum": [
          "asc",
          "desc"
        ],
        "default": "desc"
      },
      "start_date": {
        "type": "string",
        "format": "date-or-date-time"
      },
      "end_date": {
        "type": "string",
        "format": "date-or-date-time"
      },
      "status": {
        "type": "string",
        "enum": [
          "pending",
          "success",
          "failed"
        ]
      },
      "event_type": {
        "$ref": "contract#/$defs/EventType"
      }
    }
  },
  "ListUsersQuery": {
    "type": "object",
    "additionalProperties": false,
    "required": [],
    "properties": {
      "limit": {
        "type": "integer",
        "minimum": 1,
        "maximum": 100,
        "default": 20
      },
      "offset": {
        "type": "integer",
        "minimum": 0,
        "maximum": 100000,
        "default": 0
      },
      "sort": {
        "type": "string",
        "enum": [
          "created_at",
          "email",
          "username"
        ],
        "default": "created_at"
      },
      "order": {
        "type": "string",
        "enum": [
          "asc",
          "desc"
        ],
        "default": "desc"
      },
      "start_date": {
        "type": "string",
        "format": "date-or-date-time"
      },
      "end_date": {
        "type": "string",
        "format": "date-or-date-time"
      },
      "status": {
        "type": "string",
        "enum": [
          "active",
          "disabled"
        ]
      },
      "search": {
        "type": "string",
        "minLength": 1,
        "maxLength": 254
      },
      "tier": {
        "type": "string",
        "enum": [
          "free",
          "basic",
          "pro",
          "enterprise"
        ]
      },
      "role": {
        "type": "string",
        "enum": [
          "user",
          "admin"
        ]
      }
    }
  },
  "GetRevenueQuery": {
    "type": "object",
    "additionalProperties": false,
    "required": [],
    "properties": {
      "start_date": {
        "type": "string",
        "format": "date-or-date-time"
      },
      "end_date": {
        "type": "string",
        "format": "date-or-date-time"
      }
    }
  },
  "ListAllRequestsQuery": {
    "type": "object",
    "additionalProperties": false,
    "required": [],
    "properties": {
      "user_id": {
        "type": "string",
        "format": "uuid"
      },
      "limit": {
        "type": "integer",
        "minimum": 1,
        "maximum": 100,
        "default": 20
      },
      "cursor": {
        "type": "string",
        "minLength": 1,
        "maxLength": 200
      },
      "start_date": {
        "type": "string",
        "format": "date-or-date-time"
      },
      "end_date": {
        "type": "string",
        "format": "date-or-date-time"
      },
      "key_id": {
        "type": "string",
        "format": "uuid"
      },
      "operation": {
        "type": "string",
        "minLength": 1,
        "maxLength": 100
      },
      "model": {
        "type": "string",
        "minLength": 1,
        "maxLength": 200
      },
      "outcome": {
        "type": "string",
        "enum": [
          "settled",
          "released",
          "refused",
          "expired"
        ]
      },
      "status": {
        "type": "integer",
        "minimum": 100,
        "maximum": 599
      },
      "min_cost": {
        "type": "number",
        "minimum": 0,
        "maximum": 1000000
      }
    }
  },
  "ListAllPaymentsQuery": {
    "type": "object",
    "additionalProperties": false,
    "required": [],
    "properties": {
      "limit": {
        "type": "integer",
        "minimum": 1,
        "maximum": 100,
        "default": 20
      },
      "offset": {
        "type": "integer",
        "minimum": 0,
        "maximum": 100000,
        "default": 0
      },
      "sort": {
        "type": "string",
        "enum": [
          "created_at",
          "detected_at",
          "confirmed_at",
          "expires_at",
          "amount_usd"
        ],
        "default": "created_at"
      },
      "order": {
        "type": "string",
        "enum": [
          "asc",
          "desc"
        ],
        "default": "desc"
      },
      "start_date": {
        "type": "string",
        "format": "date-or-date-time"
      },
      "end_date": {
        "type": "string",
        "format": "date-or-date-time"
      },
      "status": {
        "$ref": "contract#/$defs/PaymentStatus"
      },
      "currency": {
        "$ref": "contract#/$defs/PaymentCurrency"
      },
      "user_id": {
        "type": "string",
        "format": "uuid"
      },
      "needs_review": {
        "type": "boolean"
      }
    }
  },
  "ListAllWebhooksQuery": {
    "type": "object",
    "additionalProperties": false,
    "required": [],
    "properties": {
      "limit": {
        "type": "integer",
        "minimum": 1,
        "maximum": 100,
        "default": 20
      },
      "offset": {
        "type": "integer",
        "minimum": 0,
        "maximum": 100000,
        "default": 0
      },
      "sort": {
        "type": "string",
        "enum": [
          "created_at",
          "last_delivered_at",
          "failing_since"
        ],
        "default": "created_at"
      },
      "order": {
        "type": "string",
        "enum": [
          "asc",
          "desc"
        ],
        "default": "desc"
      },
      "start_date": {
        "type": "string",
        "format": "date-or-date-time"
      },
      "end_date": {
        "type": "string",
        "format": "date-or-date-time"
      },
      "status": {
        "type": "string",
        "enum": [
          "active",
          "inactive",
          "switched_off"
        ]
      },
      "user_id": {
        "type": "string",
        "format": "uuid"
      }
    }
  },
  "ListAbandonedDeliveriesQuery": {
    "type": "object",
    "additionalProperties": false,
    "required": [],
    "properties": {
      "limit": {
        "type": "integer",
        "minimum": 1,
        "maximum": 100,
        "default": 20
      },
      "offset": {
        "type": "integer",
        "minimum": 0,
        "maximum": 100000,
        "default": 0
      },
      "sort": {
        "type": "string",
        "enum": [
          "created_at",
          "next_attempt_at",
          "delivered_at",
          "failed_at",
          "abandoned_at"
        ],
        "default": "abandoned_at"
      },
      "order": {
        "type": "string",
        "enum": [
          "asc",
          "desc"
        ],
        "default": "desc"
      },
      "start_date": {
        "type": "string",
        "format": "date-or-date-time"
      },
      "end_date": {
        "type": "string",
        "format": "date-or-date-time"
      },
      "user_id": {
        "type": "string",
        "format": "uuid"
      },
      "webhook_id": {
        "type": "string",
        "format": "uuid"
      }
    }
  },
  "ListUpgradeRequestsQuery": {
    "type": "object",
    "additionalProperties": false,
    "required": [],
    "properties": {
      "limit": {
        "type": "integer",
        "minimum": 1,
        "maximum": 100,
        "default": 20
      },
      "offset": {
        "type": "integer",
        "minimum": 0,
        "maximum": 100000,
        "default": 0
      },
      "sort": {
        "type": "string",
        "enum": [
          "created_at",
          "decided_at"
        ],
        "default": "created_at"
      },
      "order": {
        "type": "string",
        "enum": [
          "asc",
          "desc"
        ],
        "default": "desc"
      },
      "start_date": {
        "type": "string",
        "format": "date-or-date-time"
      },
      "end_date": {
        "type": "string",
        "format": "date-or-date-time"
      },
      "status": {
        "type": "string",
        "enum": [
          "pending",
          "approved",
          "rejected"
        ]
      },
      "user_id": {
        "type": "string",
        "format": "uuid"
      }
    }
  },
  "GetCallQuery": {
    "type": "object",
    "additionalProperties": false,
    "required": [],
    "properties": {
      "user_id": {
        "type": "string",
        "format": "uuid"
      }
    }
  },
  "ListAdminActionsQuery": {
    "type": "object",
    "additionalProperties": false,
    "required": [],
    "properties": {
      "limit": {
        "type": "integer",
        "minimum": 1,
        "maximum": 100,
        "default": 20
      },
      "offset": {
        "type": "integer",
        "minimum": 0,
        "maximum": 100000,
        "default": 0
      },
      "sort": {
        "type": "string",
        "enum": [
          "created_at"
        ],
        "default": "created_at"
      },
      "order": {
        "type": "string",
        "enum": [
          "asc",
          "desc"
        ],
        "default": "desc"
      },
      "start_date": {
        "type": "string",
        "format": "date-or-date-time"
      },
      "end_date": {
        "type": "string",
        "format": "date-or-date-time"
      },
      "admin_id": {
        "type": "string",
        "format": "uuid"
      },
      "operation": {
        "$ref": "contract#/$defs/AdminOperation"
      },
      "user_id": {
        "type": "string",
        "format": "uuid"
      }
    }
  },
  "SocketMessageId": {
    "type": "string",
    "minLength": 1,
    "maxLength": 64
  },
  "SocketIdempotencyKey": {
    "type": "string",
    "minLength": 1,
    "maxLength": 255
  },
  "SocketError": {
    "type": "object",
    "additionalProperties": true,
    "required": [
      "type",
      "id",
      "status",
      "error",
      "message",
      "request_id",
      "timestamp"
    ],
    "properties": {
      "type": {
        "type": "string",
        "enum": [
          "error"
        ]
      },
      "id": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 64
      },
      "room": {
        "type": "string",
        "maxLength": 128
      },
      "status": {
        "type": "integer",
        "minimum": 400,
        "maximum": 599
      },
      "error": {
        "type": "string",
        "maxLength": 200
      },
      "message": {
        "type": "string",
        "maxLength": 20000
      },
      "request_id": {
        "type": "string",
        "maxLength": 64
      },
      "timestamp": {
        "type": "string",
        "format": "date-time",
        "maxLength": 32
      },
      "cost": {
        "type": "number",
        "minimum": 0,
        "maximum": 1000000
      },
      "balance": {
        "type": "number",
        "minimum": 0,
        "maximum": 1000000000000
      },
      "version": {
        "type": "integer",
        "minimum": 0,
        "maximum": 9007199254740991
      },
      "state": {
        "type": "object",
        "additionalProperties": true,
        "maxProperties": 100000
      }
    }
  },
  "StreamGenerate": {
    "type": "object",
    "additionalProperties": false,
    "required": [
      "action",
      "id",
      "operation",
      "payload"
    ],
    "properties": {
      "action": {
        "type": "string",
        "enum": [
          "generate"
        ]
      },
      "id": {
        "$ref": "contract#/$defs/SocketMessageId"
      },
      "operation": {
        "type": "string",
        "minLength": 1,
        "maxLength": 100
      },
      "payload": {
        "type": "object",
        "additionalProperties": true,
        "maxProperties": 1000
      },
      "idempotency_key": {
        "$ref": "contract#/$defs/SocketIdempotencyKey"
      }
    }
  },
  "StreamCancel": {
    "type": "object",
    "additionalProperties": false,
    "required": [
      "action",
      "id"
    ],
    "properties": {
      "action": {
        "type": "string",
        "enum": [
          "cancel"
        ]
      },
      "id": {
        "$ref": "contract#/$defs/SocketMessageId"
      }
    }
  },
  "StreamStart": {
    "type": "object",
    "additionalProperties": false,
    "required": [
      "type",
      "id",
      "request_id"
    ],
    "properties": {
      "type": {
        "type": "string",
        "enum": [
          "start"
        ]
      },
      "id": {
        "$ref": "contract#/$defs/SocketMessageId"
      },
      "request_id": {
        "type": "string",
        "maxLength": 64
      }
    }
  },
  "StreamDelta": {
    "type": "object",
    "additionalProperties": false,
    "required": [
      "type",
      "id",
      "data"
    ],
    "properties": {
      "type": {
        "type": "string",
        "enum": [
          "delta"
        ]
      },
      "id": {
        "$ref": "contract#/$defs/SocketMessageId"
      },
      "event": {
        "type": "string",
        "maxLength": 100
      },
      "data": {
        "type": "object",
        "additionalProperties": true,
        "maxProperties": 1000
      }
    }
  },
  "StreamDone": {
    "type": "object",
    "additionalProperties": false,
    "required": [
      "type",
      "id",
      "request_id",
      "cancelled",
      "replayed",
      "model",
      "usage",
      "cost",
      "balance"
    ],
    "properties": {
      "type": {
        "type": "string",
        "enum": [
          "done"
        ]
      },
      "id": {
        "$ref": "contract#/$defs/SocketMessageId"
      },
      "request_id": {
        "type": "string",
        "maxLength": 64
      },
      "cancelled": {
        "type": "boolean"
      },
      "replayed": {
        "type": "boolean"
      },
      "result": {
        "type": "object",
        "additionalProperties": true,
        "maxProperties": 1000
      },
      "model": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 300
      },
      "usage": {
        "oneOf": [
          {
            "$ref": "contract#/$defs/StreamUsage"
          },
          {
            "type": "null"
          }
        ]
      },
      "cost": {
        "type": "number",
        "minimum": 0,
        "maximum": 1000000
      },
      "balance": {
        "type": [
          "number",
          "null"
        ],
        "minimum": 0,
        "maximum": 1000000000000
      }
    }
  },
  "StreamUsage": {
    "type": "object",
    "additionalProperties": false,
    "required": [
      "input_tokens",
      "output_tokens",
      "total_tokens"
    ],
    "properties": {
      "input_tokens": {
        "type": "integer",
        "minimum": 0,
        "maximum": 100000000
      },
      "output_tokens": {
        "type": "integer",
        "minimum": 0,
        "maximum": 100000000
      },
      "total_tokens": {
        "type": "integer",
        "minimum": 0,
        "maximum": 200000000
      }
    }
  },
  "RoomName": {
    "type": "string",
    "pattern": "^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$",
    "maxLength": 128,
    "x-fault": "must have 1 to 128 letters A to Z, digits and any of ._:- and begin with a letter or digit"
  },
  "RoomSeq": {
    "type": "integer",
    "minimum": 0,
    "maximum": 9007199254740991
  },
  "RoomVersion": {
    "type": "integer",
    "minimum": 0,
    "maximum": 9007199254740991
  },
  "RoomPresence": {
    "type": "object",
    "additionalProperties": true,
    "maxProperties": 100
  },
  "RoomMember": {
    "type": "object",
    "additionalProperties": false,
    "required": [
      "id",
      "presence",
      "joined_at"
    ],
    "properties": {
      "id": {
        "type": "string",
        "maxLength": 64
      },
      "presence": {
        "$ref": "contract#/$defs/RoomPresence"
      },
      "joined_at": {
        "type": "string",
        "format": "date-time",
        "maxLength": 32
      }
    }
  },
  "RoomJoin": {
    "type": "object",
    "additionalProperties": false,
    "required": [
      "action",
      "room"
    ],
    "properties": {
      "action": {
        "type": "string",
        "enum": [
          "join"
        ]
      },
      "id": {
        "$ref": "contract#/$defs/SocketMessageId"
      },
      "room": {
        "$ref": "contract#/$defs/RoomName"
      },
      "data": {
        "$ref": "contract#/$defs/RoomPresence"
      },
      "last_version": {
        "type": "integer",
        "minimum": 0,
        "maximum": 9007199254740991
      },
      "last_seq": {
        "type": "integer",
        "minimum": 0,
        "maximum": 9007199254740991
      }
    }
  },
  "RoomLeave": {
    "type": "object",
    "additionalProperties": false,
    "required": [
      "action",
      "room"
    ],
    "properties": {
      "action": {
        "type": "string",
        "enum": [
          "leave"
        ]
      },
      "id": {
        "$ref": "contract#/$defs/SocketMessageId"
      },
      "room": {
        "$ref": "contract#/$defs/RoomName"
      }
    }
  },
  "RoomMessage": {
    "type": "object",
    "additionalProperties": false,
    "required": [
      "action",
      "room",
      "data"
    ],
    "properties": {
      "action": {
        "type": "string",
        "enum": [
          "message"
        ]
      },
      "id": {
        "$ref": "contract#/$defs/SocketMessageId"
      },
      "room": {
        "$ref": "contract#/$defs/RoomName"
      },
      "data": {
        "type": "object",
        "additionalProperties": true,
        "maxProperties": 1000
      },
      "idempotency_key": {
        "$ref": "contract#/$defs/SocketIdempotencyKey"
      }
    }
  },
  "RoomSetPresence": {
    "type": "object",
    "additionalProperties": false,
    "required": [
      "action",
      "room",
      "data"
    ],
    "properties": {
      "action": {
        "type": "string",
        "enum": [
          "presence"
        ]
      },
      "id": {
        "$ref": "contract#/$defs/SocketMessageId"
      },
      "room": {
        "$ref": "contract#/$defs/RoomName"
      },
      "data": {
        "$ref": "contract#/$defs/RoomPresence"
      }
    }
  },
  "RoomUpdate": {
    "type": "object",
    "additionalProperties": false,
    "required": [
      "action",
      "room",
      "data",
      "base_version"
    ],
    "properties": {
      "action": {
        "type": "string",
        "enum": [
          "update"
        ]
      },
      "id": {
        "$ref": "contract#/$defs/SocketMessageId"
      },
      "room": {
        "$ref": "contract#/$defs/RoomName"
      },
      "data": {
        "type": "object",
        "additionalProperties": true,
        "maxProperties": 1000
      },
      "base_version": {
        "$ref": "contract#/$defs/RoomVersion"
      },
      "idempotency_key": {
        "$ref": "contract#/$defs/SocketIdempotencyKey"
      }
    }
  },
  "RoomPing": {
    "type": "object",
    "additionalProperties": false,
    "required": [
      "action"
    ],
    "properties": {
      "action": {
        "type": "string",
        "enum": [
          "ping"
        ]
      },
      "id": {
        "$ref": "contract#/$defs/SocketMessageId"
      }
    }
  },
  "RoomJoined": {
    "type": "object",
    "additionalProperties": false,
    "required": [
      "type",
      "id",
      "room",
      "member_id",
      "members",
      "seq",
      "version",
      "state",
      "missed"
    ],
    "properties": {
      "type": {
        "type": "string",
        "enum": [
          "joined"
        ]
      },
      "id": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 64
      },
      "room": {
        "$ref": "contract#/$defs/RoomName"
      },
      "member_id": {
        "type": "string",
        "maxLength": 64
      },
      "members": {
        "type": "array",
        "maxItems": 100,
        "items": {
          "$ref": "contract#/$defs/RoomMember"
        }
      },
      "seq": {
        "$ref": "contract#/$defs/RoomSeq"
      },
      "version": {
        "$ref": "contract#/$defs/RoomVersion"
      },
      "state": {
        "type": [
          "object",
          "null"
        ],
        "additionalProperties": true,
        "maxProperties": 100000
      },
      "missed": {
        "type": "array",
        "maxItems": 200,
        "items": {
          "oneOf": [
            {
              "$ref": "contract#/$defs/RoomMessageSent"
            },
            {
              "$ref": "contract#/$defs/RoomUpdated"
            }
          ]
        }
      }
    }
  },
  "RoomMemberJoined": {
    "type": "object",
    "additionalProperties": false,
    "required": [
      "type",
      "room",
      "member"
    ],
    "properties": {
      "type": {
        "type": "string",
        "enum": [
          "member_joined"
        ]
      },
      "room": {
        "$ref": "contract#/$defs/RoomName"
      },
      "member": {
        "$ref": "contract#/$defs/RoomMember"
      }
    }
  },
  "RoomMemberLeft": {
    "type": "object",
    "additionalProperties": false,
    "required": [
      "type",
      "room",
      "member_id"
    ],
    "properties": {
      "type": {
        "type": "string",
        "enum": [
          "member_left"
        ]
      },
      "room": {
        "$ref": "contract#/$defs/RoomName"
      },
      "member_id": {
        "type": "string",
        "maxLength": 64
      }
    }
  },
  "RoomPresenceChanged": {
    "type": "object",
    "additionalProperties": false,
    "required": [
      "type",
      "room",
      "member_id",
      "data"
    ],
    "properties": {
      "type": {
        "type": "string",
        "enum": [
          "presence"
        ]
      },
      "room": {
        "$ref": "contract#/$defs/RoomName"
      },
      "member_id": {
        "type": "string",
        "maxLength": 64
      },
      "data": {
        "$ref": "contract#/$defs/RoomPresence"
      }
    }
  },
  "RoomMessageSent": {
    "type": "object",
    "additionalProperties": false,
    "required": [
      "type",
      "room",
      "seq",
      "member_id",
      "data",
      "created_at"
    ],
    "properties": {
      "type": {
        "type": "string",
        "enum": [
          "message"
        ]
      },
      "room": {
        "$ref": "contract#/$defs/RoomName"
      },
      "seq": {
        "$ref": "contract#/$defs/RoomSeq"
      },
      "member_id": {
        "type": "string",
        "maxLength": 64
      },
      "data": {
        "type": "object",
        "additionalProperties": true,
        "maxProperties": 1000
      },
      "created_at": {
        "type": "string",
        "format": "date-time",
        "maxLength": 32
      }
    }
  },
  "RoomUpdated": {
    "type": "object",
    "additionalProperties": false,
    "required": [
      "type",
      "room",
      "seq",
      "version",
      "member_id",
      "data",
      "created_at"
    ],
    "properties": {
      "type": {
        "type": "string",
        "enum": [
          "update"
        ]
      },
      "room": {
        "$ref": "contract#/$defs/RoomName"
      },
      "seq": {
        "$ref": "contract#/$defs/RoomSeq"
      },
      "version": {
        "$ref": "contract#/$defs/RoomVersion"
      },
      "member_id": {
        "type": "string",
        "maxLength": 64
      },
      "data": {
        "type": "object",
        "additionalProperties": true,
        "maxProperties": 1000
      },
      "created_at": {
        "type": "string",
        "format": "date-time",
        "maxLength": 32
      }
    }
  },
  "RoomAck": {
    "type": "object",
    "additionalProperties": false,
    "required": [
      "type",
      "id"
    ],
    "properties": {
      "type": {
        "type": "string",
        "enum": [
          "ack"
        ]
      },
      "id": {
        "$ref": "contract#/$defs/SocketMessageId"
      },
      "room": {
        "$ref": "contract#/$defs/RoomName"
      },
      "seq": {
        "type": "integer",
        "minimum": 0,
        "maximum": 9007199254740991
      },
      "version": {
        "type": "integer",
        "minimum": 0,
        "maximum": 9007199254740991
      }
    }
  }
};

export const schemas: Record<string, OperationSchemas> = {
  "register": {
    "body": {
      "$ref": "contract#/$defs/RegisterRequest"
    },
    "bodyRequired": true,
    "query": null,
    "headers": null,
    "responses": {
      "201": {
        "$ref": "contract#/$defs/User"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "409": {
        "$ref": "contract#/$defs/ApiError"
      },
      "415": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "login": {
    "body": {
      "$ref": "contract#/$defs/LoginRequest"
    },
    "bodyRequired": true,
    "query": null,
    "headers": null,
    "responses": {
      "200": {
        "$ref": "contract#/$defs/Session"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "415": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "getCurrentUser": {
    "body": null,
    "bodyRequired": false,
    "query": null,
    "headers": null,
    "responses": {
      "200": {
        "$ref": "contract#/$defs/User"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "changePassword": {
    "body": {
      "$ref": "contract#/$defs/ChangePasswordRequest"
    },
    "bodyRequired": true,
    "query": null,
    "headers": null,
    "responses": {
      "200": {
        "$ref": "contract#/$defs/PasswordChanged"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "415": {
        "$ref": "contract#/$defs/ApiError"
      },
      "422": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "refreshToken": {
    "body": null,
    "bodyRequired": false,
    "query": null,
    "headers": null,
    "responses": {
      "200": {
        "$ref": "contract#/$defs/Session"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "logout": {
    "body": null,
    "bodyRequired": false,
    "query": null,
    "headers": null,
    "responses": {
      "204": null,
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "logoutEverywhere": {
    "body": null,
    "bodyRequired": false,
    "query": null,
    "headers": null,
    "responses": {
      "204": null,
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "requestPasswordReset": {
    "body": {
      "$ref": "contract#/$defs/RequestPasswordResetRequest"
    },
    "bodyRequired": true,
    "query": null,
    "headers": null,
    "responses": {
      "200": {
        "$ref": "contract#/$defs/PasswordResetRequested"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "415": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "resetPassword": {
    "body": {
      "$ref": "contract#/$defs/ResetPasswordRequest"
    },
    "bodyRequired": true,
    "query": null,
    "headers": null,
    "responses": {
      "200": {
        "$ref": "contract#/$defs/PasswordChanged"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "415": {
        "$ref": "contract#/$defs/ApiError"
      },
      "422": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "getSession": {
    "body": null,
    "bodyRequired": false,
    "query": null,
    "headers": null,
    "responses": {
      "200": {
        "$ref": "contract#/$defs/ConsoleSession"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "startSession": {
    "body": {
      "$ref": "contract#/$defs/LoginRequest"
    },
    "bodyRequired": true,
    "query": null,
    "headers": null,
    "responses": {
      "200": {
        "$ref": "contract#/$defs/ConsoleSession"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "403": {
        "$ref": "contract#/$defs/ApiError"
      },
      "415": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "endSession": {
    "body": null,
    "bodyRequired": false,
    "query": null,
    "headers": null,
    "responses": {
      "204": null,
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "provePassword": {
    "body": {
      "$ref": "contract#/$defs/ProvePasswordRequest"
    },
    "bodyRequired": true,
    "query": null,
    "headers": null,
    "responses": {
      "200": {
        "$ref": "contract#/$defs/ConsoleSession"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "415": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "listSessions": {
    "body": null,
    "bodyRequired": false,
    "query": null,
    "headers": null,
    "responses": {
      "200": {
        "$ref": "contract#/$defs/ConsoleSessionList"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "revokeSession": {
    "body": null,
    "bodyRequired": false,
    "query": null,
    "headers": null,
    "responses": {
      "204": null,
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "404": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "createPlaygroundKey": {
    "body": {
      "$ref": "contract#/$defs/CreatePlaygroundKeyRequest"
    },
    "bodyRequired": false,
    "query": null,
    "headers": null,
    "responses": {
      "200": {
        "$ref": "contract#/$defs/PlaygroundKey"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "409": {
        "$ref": "contract#/$defs/ApiError"
      },
      "415": {
        "$ref": "contract#/$defs/ApiError"
      },
      "422": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "listKeys": {
    "body": null,
    "bodyRequired": false,
    "query": {
      "$ref": "contract#/$defs/ListKeysQuery"
    },
    "headers": null,
    "responses": {
      "200": {
        "type": "array",
        "items": {
          "$ref": "contract#/$defs/AccessKey"
        }
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "422": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "createKey": {
    "body": {
      "$ref": "contract#/$defs/CreateKeyRequest"
    },
    "bodyRequired": true,
    "query": null,
    "headers": {
      "type": "object",
      "additionalProperties": true,
      "required": [],
      "properties": {
        "idempotency-key": {
          "type": "string",
          "minLength": 1,
          "maxLength": 255
        }
      }
    },
    "responses": {
      "201": {
        "$ref": "contract#/$defs/AccessKeySecret"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "403": {
        "$ref": "contract#/$defs/ApiError"
      },
      "409": {
        "$ref": "contract#/$defs/ApiError"
      },
      "415": {
        "$ref": "contract#/$defs/ApiError"
      },
      "422": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "updateKey": {
    "body": {
      "$ref": "contract#/$defs/UpdateKeyRequest"
    },
    "bodyRequired": true,
    "query": null,
    "headers": null,
    "responses": {
      "200": {
        "$ref": "contract#/$defs/AccessKey"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "404": {
        "$ref": "contract#/$defs/ApiError"
      },
      "415": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "deleteKey": {
    "body": null,
    "bodyRequired": false,
    "query": null,
    "headers": null,
    "responses": {
      "204": null,
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "404": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "revokeKey": {
    "body": null,
    "bodyRequired": false,
    "query": null,
    "headers": null,
    "responses": {
      "200": {
        "$ref": "contract#/$defs/AccessKey"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "404": {
        "$ref": "contract#/$defs/ApiError"
      },
      "409": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "rotateKey": {
    "body": {
      "$ref": "contract#/$defs/RotateKeyRequest"
    },
    "bodyRequired": false,
    "query": null,
    "headers": {
      "type": "object",
      "additionalProperties": true,
      "required": [],
      "properties": {
        "idempotency-key": {
          "type": "string",
          "minLength": 1,
          "maxLength": 255
        }
      }
    },
    "responses": {
      "200": {
        "$ref": "contract#/$defs/AccessKeySecret"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "403": {
        "$ref": "contract#/$defs/ApiError"
      },
      "404": {
        "$ref": "contract#/$defs/ApiError"
      },
      "409": {
        "$ref": "contract#/$defs/ApiError"
      },
      "415": {
        "$ref": "contract#/$defs/ApiError"
      },
      "422": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "getKeyLimits": {
    "body": null,
    "bodyRequired": false,
    "query": null,
    "headers": null,
    "responses": {
      "200": {
        "$ref": "contract#/$defs/SpendingLimits"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "404": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "setKeyLimits": {
    "body": {
      "$ref": "contract#/$defs/SpendingLimitsRequest"
    },
    "bodyRequired": true,
    "query": null,
    "headers": null,
    "responses": {
      "200": {
        "$ref": "contract#/$defs/SpendingLimits"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "403": {
        "$ref": "contract#/$defs/ApiError"
      },
      "404": {
        "$ref": "contract#/$defs/ApiError"
      },
      "409": {
        "$ref": "contract#/$defs/ApiError"
      },
      "415": {
        "$ref": "contract#/$defs/ApiError"
      },
      "422": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "deleteKeyLimits": {
    "body": null,
    "bodyRequired": false,
    "query": null,
    "headers": null,
    "responses": {
      "204": null,
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "403": {
        "$ref": "contract#/$defs/ApiError"
      },
      "404": {
        "$ref": "contract#/$defs/ApiError"
      },
      "409": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "resetKeyLimits": {
    "body": null,
    "bodyRequired": false,
    "query": null,
    "headers": null,
    "responses": {
      "200": {
        "$ref": "contract#/$defs/SpendingLimits"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "403": {
        "$ref": "contract#/$defs/ApiError"
      },
      "404": {
        "$ref": "contract#/$defs/ApiError"
      },
      "409": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "getBalance": {
    "body": null,
    "bodyRequired": false,
    "query": null,
    "headers": null,
    "responses": {
      "200": {
        "$ref": "contract#/$defs/Balance"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "addCredits": {
    "body": {
      "$ref": "contract#/$defs/AddCreditsRequest"
    },
    "bodyRequired": true,
    "query": null,
    "headers": {
      "type": "object",
      "additionalProperties": true,
      "required": [],
      "properties": {
        "idempotency-key": {
          "type": "string",
          "minLength": 1,
          "maxLength": 255
        }
      }
    },
    "responses": {
      "201": {
        "$ref": "contract#/$defs/Transaction"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "403": {
        "$ref": "contract#/$defs/ApiError"
      },
      "404": {
        "$ref": "contract#/$defs/ApiError"
      },
      "409": {
        "$ref": "contract#/$defs/ApiError"
      },
      "415": {
        "$ref": "contract#/$defs/ApiError"
      },
      "422": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "listTransactions": {
    "body": null,
    "bodyRequired": false,
    "query": {
      "$ref": "contract#/$defs/ListTransactionsQuery"
    },
    "headers": null,
    "responses": {
      "200": {
        "$ref": "contract#/$defs/TransactionList"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "422": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "getTransactionStats": {
    "body": null,
    "bodyRequired": false,
    "query": {
      "$ref": "contract#/$defs/GetTransactionStatsQuery"
    },
    "headers": null,
    "responses": {
      "200": {
        "$ref": "contract#/$defs/TransactionStats"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "422": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "getTransaction": {
    "body": null,
    "bodyRequired": false,
    "query": null,
    "headers": null,
    "responses": {
      "200": {
        "$ref": "contract#/$defs/Transaction"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "404": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "exportTransactions": {
    "body": null,
    "bodyRequired": false,
    "query": {
      "$ref": "contract#/$defs/ExportTransactionsQuery"
    },
    "headers": null,
    "responses": {
      "200": null,
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "422": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "watchPayments": {
    "body": null,
    "bodyRequired": false,
    "query": {
      "$ref": "contract#/$defs/WatchPaymentsQuery"
    },
    "headers": null,
    "responses": {
      "200": null,
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "409": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "listPaymentMethods": {
    "body": null,
    "bodyRequired": false,
    "query": null,
    "headers": null,
    "responses": {
      "200": {
        "$ref": "contract#/$defs/PaymentMethodList"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "listPayments": {
    "body": null,
    "bodyRequired": false,
    "query": {
      "$ref": "contract#/$defs/ListPaymentsQuery"
    },
    "headers": null,
    "responses": {
      "200": {
        "$ref": "contract#/$defs/PaymentList"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "422": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "createPayment": {
    "body": {
      "$ref": "contract#/$defs/CreatePaymentRequest"
    },
    "bodyRequired": true,
    "query": null,
    "headers": {
      "type": "object",
      "additionalProperties": true,
      "required": [],
      "properties": {
        "idempotency-key": {
          "type": "string",
          "minLength": 1,
          "maxLength": 255
        }
      }
    },
    "responses": {
      "201": {
        "$ref": "contract#/$defs/Payment"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "409": {
        "$ref": "contract#/$defs/ApiError"
      },
      "415": {
        "$ref": "contract#/$defs/ApiError"
      },
      "422": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "503": {
        "$ref": "contract#/$defs/ApiError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "getPayment": {
    "body": null,
    "bodyRequired": false,
    "query": null,
    "headers": null,
    "responses": {
      "200": {
        "$ref": "contract#/$defs/Payment"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "404": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "confirmPayment": {
    "body": null,
    "bodyRequired": false,
    "query": null,
    "headers": null,
    "responses": {
      "200": {
        "$ref": "contract#/$defs/Payment"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "404": {
        "$ref": "contract#/$defs/ApiError"
      },
      "409": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "503": {
        "$ref": "contract#/$defs/ApiError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "getPaymentQr": {
    "body": null,
    "bodyRequired": false,
    "query": null,
    "headers": null,
    "responses": {
      "200": null,
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "404": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "getPricing": {
    "body": null,
    "bodyRequired": false,
    "query": null,
    "headers": null,
    "responses": {
      "200": {
        "$ref": "contract#/$defs/PriceList"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "getPublicPricing": {
    "body": null,
    "bodyRequired": false,
    "query": null,
    "headers": null,
    "responses": {
      "200": {
        "$ref": "contract#/$defs/PublicPriceList"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "getAccountLimits": {
    "body": null,
    "bodyRequired": false,
    "query": null,
    "headers": null,
    "responses": {
      "200": {
        "$ref": "contract#/$defs/AccountLimits"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "getOverview": {
    "body": null,
    "bodyRequired": false,
    "query": {
      "$ref": "contract#/$defs/GetOverviewQuery"
    },
    "headers": null,
    "responses": {
      "200": {
        "$ref": "contract#/$defs/Overview"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "createUpgradeRequest": {
    "body": {
      "$ref": "contract#/$defs/NewUpgradeRequest"
    },
    "bodyRequired": true,
    "query": null,
    "headers": {
      "type": "object",
      "additionalProperties": true,
      "required": [],
      "properties": {
        "idempotency-key": {
          "type": "string",
          "minLength": 1,
          "maxLength": 255
        }
      }
    },
    "responses": {
      "201": {
        "$ref": "contract#/$defs/UpgradeRequest"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "409": {
        "$ref": "contract#/$defs/ApiError"
      },
      "415": {
        "$ref": "contract#/$defs/ApiError"
      },
      "422": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "listOwnUpgradeRequests": {
    "body": null,
    "bodyRequired": false,
    "query": {
      "$ref": "contract#/$defs/ListOwnUpgradeRequestsQuery"
    },
    "headers": null,
    "responses": {
      "200": {
        "$ref": "contract#/$defs/OwnUpgradeRequestList"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "getUsage": {
    "body": null,
    "bodyRequired": false,
    "query": {
      "$ref": "contract#/$defs/GetUsageQuery"
    },
    "headers": null,
    "responses": {
      "200": {
        "$ref": "contract#/$defs/Usage"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "422": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "getUsageSummary": {
    "body": null,
    "bodyRequired": false,
    "query": null,
    "headers": null,
    "responses": {
      "200": {
        "$ref": "contract#/$defs/UsageSummary"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "getUsageSeries": {
    "body": null,
    "bodyRequired": false,
    "query": {
      "$ref": "contract#/$defs/GetUsageSeriesQuery"
    },
    "headers": null,
    "responses": {
      "200": {
        "$ref": "contract#/$defs/UsageSeries"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "422": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "listRequests": {
    "body": null,
    "bodyRequired": false,
    "query": {
      "$ref": "contract#/$defs/ListRequestsQuery"
    },
    "headers": null,
    "responses": {
      "200": {
        "$ref": "contract#/$defs/RequestList"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "422": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "getCosts": {
    "body": null,
    "bodyRequired": false,
    "query": {
      "$ref": "contract#/$defs/GetCostsQuery"
    },
    "headers": null,
    "responses": {
      "200": {
        "$ref": "contract#/$defs/Costs"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "422": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "getKeyUsage": {
    "body": null,
    "bodyRequired": false,
    "query": {
      "$ref": "contract#/$defs/GetKeyUsageQuery"
    },
    "headers": null,
    "responses": {
      "200": {
        "$ref": "contract#/$defs/AccessKeyUsage"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "404": {
        "$ref": "contract#/$defs/ApiError"
      },
      "422": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "getRequestReceipt": {
    "body": null,
    "bodyRequired": false,
    "query": null,
    "headers": null,
    "responses": {
      "200": {
        "$ref": "contract#/$defs/Receipt"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "404": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "getHubHealth": {
    "body": null,
    "bodyRequired": false,
    "query": null,
    "headers": null,
    "responses": {
      "200": {
        "$ref": "contract#/$defs/Health"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "createMemory": {
    "body": {
      "$ref": "contract#/$defs/CreateMemoryRequest"
    },
    "bodyRequired": true,
    "query": null,
    "headers": {
      "type": "object",
      "additionalProperties": true,
      "required": [],
      "properties": {
        "idempotency-key": {
          "type": "string",
          "minLength": 1,
          "maxLength": 255
        }
      }
    },
    "responses": {
      "200": {
        "$ref": "contract#/$defs/MemoryResponse"
      },
      "201": {
        "$ref": "contract#/$defs/MemoryResponse"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "402": {
        "$ref": "contract#/$defs/PaymentRequiredError"
      },
      "409": {
        "$ref": "contract#/$defs/ApiError"
      },
      "415": {
        "$ref": "contract#/$defs/ApiError"
      },
      "422": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "queryMemories": {
    "body": {
      "$ref": "contract#/$defs/QueryMemoriesRequest"
    },
    "bodyRequired": true,
    "query": null,
    "headers": {
      "type": "object",
      "additionalProperties": true,
      "required": [],
      "properties": {
        "idempotency-key": {
          "type": "string",
          "minLength": 1,
          "maxLength": 255
        }
      }
    },
    "responses": {
      "200": {
        "$ref": "contract#/$defs/MemoryListResponse"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "402": {
        "$ref": "contract#/$defs/PaymentRequiredError"
      },
      "409": {
        "$ref": "contract#/$defs/ApiError"
      },
      "415": {
        "$ref": "contract#/$defs/ApiError"
      },
      "422": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "searchMemories": {
    "body": {
      "$ref": "contract#/$defs/SearchMemoriesRequest"
    },
    "bodyRequired": true,
    "query": null,
    "headers": {
      "type": "object",
      "additionalProperties": true,
      "required": [],
      "properties": {
        "idempotency-key": {
          "type": "string",
          "minLength": 1,
          "maxLength": 255
        }
      }
    },
    "responses": {
      "200": {
        "$ref": "contract#/$defs/MemorySearchResponse"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "402": {
        "$ref": "contract#/$defs/PaymentRequiredError"
      },
      "409": {
        "$ref": "contract#/$defs/ApiError"
      },
      "415": {
        "$ref": "contract#/$defs/ApiError"
      },
      "422": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "getMemoryStats": {
    "body": null,
    "bodyRequired": false,
    "query": null,
    "headers": null,
    "responses": {
      "200": {
        "$ref": "contract#/$defs/MemoryStatsResponse"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "402": {
        "$ref": "contract#/$defs/PaymentRequiredError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "createMemoryBatch": {
    "body": {
      "$ref": "contract#/$defs/CreateMemoryBatchRequest"
    },
    "bodyRequired": true,
    "query": null,
    "headers": {
      "type": "object",
      "additionalProperties": true,
      "required": [],
      "properties": {
        "idempotency-key": {
          "type": "string",
          "minLength": 1,
          "maxLength": 255
        }
      }
    },
    "responses": {
      "200": {
        "$ref": "contract#/$defs/MemoryBatchResponse"
      },
      "201": {
        "$ref": "contract#/$defs/MemoryBatchResponse"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "402": {
        "$ref": "contract#/$defs/PaymentRequiredError"
      },
      "409": {
        "$ref": "contract#/$defs/ApiError"
      },
      "415": {
        "$ref": "contract#/$defs/ApiError"
      },
      "422": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "getMemory": {
    "body": null,
    "bodyRequired": false,
    "query": null,
    "headers": null,
    "responses": {
      "200": {
        "$ref": "contract#/$defs/MemoryResponse"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "402": {
        "$ref": "contract#/$defs/PaymentRequiredError"
      },
      "404": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "listAgents": {
    "body": null,
    "bodyRequired": false,
    "query": {
      "$ref": "contract#/$defs/ListAgentsQuery"
    },
    "headers": null,
    "responses": {
      "200": {
        "$ref": "contract#/$defs/AgentListResponse"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "422": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "createAgent": {
    "body": {
      "$ref": "contract#/$defs/CreateAgentRequest"
    },
    "bodyRequired": true,
    "query": null,
    "headers": {
      "type": "object",
      "additionalProperties": true,
      "required": [],
      "properties": {
        "idempotency-key": {
          "type": "string",
          "minLength": 1,
          "maxLength": 255
        }
      }
    },
    "responses": {
      "201": {
        "$ref": "contract#/$defs/AgentResponse"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "409": {
        "$ref": "contract#/$defs/ApiError"
      },
      "415": {
        "$ref": "contract#/$defs/ApiError"
      },
      "422": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "generateWithAgent": {
    "body": {
      "$ref": "contract#/$defs/GenerateWithAgentRequest"
    },
    "bodyRequired": true,
    "query": null,
    "headers": {
      "type": "object",
      "additionalProperties": true,
      "required": [],
      "properties": {
        "idempotency-key": {
          "type": "string",
          "minLength": 1,
          "maxLength": 255
        }
      }
    },
    "responses": {
      "200": {
        "$ref": "contract#/$defs/AgentTextResponse"
      },
      "400": {
        "anyOf": [
          {
            "$ref": "contract#/$defs/ValidationError"
          },
          {
            "$ref": "contract#/$defs/ApiError"
          }
        ]
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "402": {
        "$ref": "contract#/$defs/PaymentRequiredError"
      },
      "404": {
        "$ref": "contract#/$defs/ApiError"
      },
      "409": {
        "$ref": "contract#/$defs/ApiError"
      },
      "413": {
        "$ref": "contract#/$defs/ApiError"
      },
      "415": {
        "$ref": "contract#/$defs/ApiError"
      },
      "422": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "chatWithAgent": {
    "body": {
      "$ref": "contract#/$defs/ChatWithAgentRequest"
    },
    "bodyRequired": true,
    "query": null,
    "headers": {
      "type": "object",
      "additionalProperties": true,
      "required": [],
      "properties": {
        "idempotency-key": {
          "type": "string",
          "minLength": 1,
          "maxLength": 255
        }
      }
    },
    "responses": {
      "200": {
        "$ref": "contract#/$defs/AgentChatResponse"
      },
      "400": {
        "anyOf": [
          {
            "$ref": "contract#/$defs/ValidationError"
          },
          {
            "$ref": "contract#/$defs/ApiError"
          }
        ]
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "402": {
        "$ref": "contract#/$defs/PaymentRequiredError"
      },
      "404": {
        "$ref": "contract#/$defs/ApiError"
      },
      "409": {
        "$ref": "contract#/$defs/ApiError"
      },
      "413": {
        "$ref": "contract#/$defs/ApiError"
      },
      "415": {
        "$ref": "contract#/$defs/ApiError"
      },
      "422": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "getAgent": {
    "body": null,
    "bodyRequired": false,
    "query": null,
    "headers": null,
    "responses": {
      "200": {
        "$ref": "contract#/$defs/AgentResponse"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "404": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "updateAgent": {
    "body": {
      "$ref": "contract#/$defs/UpdateAgentRequest"
    },
    "bodyRequired": true,
    "query": null,
    "headers": null,
    "responses": {
      "200": {
        "$ref": "contract#/$defs/AgentResponse"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "404": {
        "$ref": "contract#/$defs/ApiError"
      },
      "409": {
        "$ref": "contract#/$defs/ApiError"
      },
      "415": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "deleteAgent": {
    "body": null,
    "bodyRequired": false,
    "query": null,
    "headers": null,
    "responses": {
      "204": null,
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "404": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "indexRagDocument": {
    "body": {
      "$ref": "contract#/$defs/IndexRagDocumentRequest"
    },
    "bodyRequired": true,
    "query": null,
    "headers": {
      "type": "object",
      "additionalProperties": true,
      "required": [],
      "properties": {
        "idempotency-key": {
          "type": "string",
          "minLength": 1,
          "maxLength": 255
        }
      }
    },
    "responses": {
      "201": {
        "$ref": "contract#/$defs/IndexedRagDocumentResponse"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "402": {
        "$ref": "contract#/$defs/PaymentRequiredError"
      },
      "409": {
        "$ref": "contract#/$defs/ApiError"
      },
      "415": {
        "$ref": "contract#/$defs/ApiError"
      },
      "422": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "retrieveRagChunks": {
    "body": {
      "$ref": "contract#/$defs/RetrieveRagChunksRequest"
    },
    "bodyRequired": true,
    "query": null,
    "headers": {
      "type": "object",
      "additionalProperties": true,
      "required": [],
      "properties": {
        "idempotency-key": {
          "type": "string",
          "minLength": 1,
          "maxLength": 255
        }
      }
    },
    "responses": {
      "200": {
        "$ref": "contract#/$defs/RagRetrievalResponse"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "402": {
        "$ref": "contract#/$defs/PaymentRequiredError"
      },
      "409": {
        "$ref": "contract#/$defs/ApiError"
      },
      "415": {
        "$ref": "contract#/$defs/ApiError"
      },
      "422": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "generateWithRag": {
    "body": {
      "$ref": "contract#/$defs/GenerateWithRagRequest"
    },
    "bodyRequired": true,
    "query": null,
    "headers": {
      "type": "object",
      "additionalProperties": true,
      "required": [],
      "properties": {
        "idempotency-key": {
          "type": "string",
          "minLength": 1,
          "maxLength": 255
        }
      }
    },
    "responses": {
      "200": {
        "$ref": "contract#/$defs/RagAnswerResponse"
      },
      "400": {
        "anyOf": [
          {
            "$ref": "contract#/$defs/ValidationError"
          },
          {
            "$ref": "contract#/$defs/ApiError"
          }
        ]
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "402": {
        "$ref": "contract#/$defs/PaymentRequiredError"
      },
      "404": {
        "$ref": "contract#/$defs/ApiError"
      },
      "409": {
        "$ref": "contract#/$defs/ApiError"
      },
      "413": {
        "$ref": "contract#/$defs/ApiError"
      },
      "415": {
        "$ref": "contract#/$defs/ApiError"
      },
      "422": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "getRagStats": {
    "body": null,
    "bodyRequired": false,
    "query": null,
    "headers": null,
    "responses": {
      "200": {
        "$ref": "contract#/$defs/RagStatsResponse"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "listRagDocuments": {
    "body": null,
    "bodyRequired": false,
    "query": {
      "$ref": "contract#/$defs/ListRagDocumentsQuery"
    },
    "headers": null,
    "responses": {
      "200": {
        "$ref": "contract#/$defs/RagDocumentListResponse"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "422": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "getRagDocument": {
    "body": null,
    "bodyRequired": false,
    "query": null,
    "headers": null,
    "responses": {
      "200": {
        "$ref": "contract#/$defs/RagDocumentResponse"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "404": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "deleteRagDocument": {
    "body": null,
    "bodyRequired": false,
    "query": null,
    "headers": null,
    "responses": {
      "204": null,
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "404": {
        "$ref": "contract#/$defs/ApiError"
      },
      "409": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "indexSearchItems": {
    "body": {
      "$ref": "contract#/$defs/IndexSearchItemsRequest"
    },
    "bodyRequired": true,
    "query": null,
    "headers": {
      "type": "object",
      "additionalProperties": true,
      "required": [],
      "properties": {
        "idempotency-key": {
          "type": "string",
          "minLength": 1,
          "maxLength": 255
        }
      }
    },
    "responses": {
      "201": {
        "$ref": "contract#/$defs/IndexedSearchItemsResponse"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "402": {
        "$ref": "contract#/$defs/PaymentRequiredError"
      },
      "409": {
        "$ref": "contract#/$defs/ApiError"
      },
      "415": {
        "$ref": "contract#/$defs/ApiError"
      },
      "422": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "search": {
    "body": {
      "$ref": "contract#/$defs/SearchRequest"
    },
    "bodyRequired": true,
    "query": null,
    "headers": {
      "type": "object",
      "additionalProperties": true,
      "required": [],
      "properties": {
        "idempotency-key": {
          "type": "string",
          "minLength": 1,
          "maxLength": 255
        }
      }
    },
    "responses": {
      "200": {
        "$ref": "contract#/$defs/SearchResponse"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "402": {
        "$ref": "contract#/$defs/PaymentRequiredError"
      },
      "409": {
        "$ref": "contract#/$defs/ApiError"
      },
      "415": {
        "$ref": "contract#/$defs/ApiError"
      },
      "422": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "getSearchItem": {
    "body": null,
    "bodyRequired": false,
    "query": null,
    "headers": null,
    "responses": {
      "200": {
        "$ref": "contract#/$defs/SearchItemResponse"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "404": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "deleteSearchItem": {
    "body": null,
    "bodyRequired": false,
    "query": null,
    "headers": null,
    "responses": {
      "204": null,
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "404": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "listTasks": {
    "body": null,
    "bodyRequired": false,
    "query": {
      "$ref": "contract#/$defs/ListTasksQuery"
    },
    "headers": null,
    "responses": {
      "200": {
        "$ref": "contract#/$defs/TaskListResponse"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "422": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "submitTask": {
    "body": {
      "$ref": "contract#/$defs/SubmitTaskRequest"
    },
    "bodyRequired": true,
    "query": null,
    "headers": {
      "type": "object",
      "additionalProperties": true,
      "required": [],
      "properties": {
        "idempotency-key": {
          "type": "string",
          "minLength": 1,
          "maxLength": 255
        }
      }
    },
    "responses": {
      "201": {
        "$ref": "contract#/$defs/TaskResponse"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "402": {
        "$ref": "contract#/$defs/PaymentRequiredError"
      },
      "409": {
        "$ref": "contract#/$defs/ApiError"
      },
      "415": {
        "$ref": "contract#/$defs/ApiError"
      },
      "422": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "getTask": {
    "body": null,
    "bodyRequired": false,
    "query": null,
    "headers": null,
    "responses": {
      "200": {
        "$ref": "contract#/$defs/TaskResponse"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "404": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "cancelTask": {
    "body": null,
    "bodyRequired": false,
    "query": null,
    "headers": null,
    "responses": {
      "200": {
        "$ref": "contract#/$defs/TaskResponse"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "404": {
        "$ref": "contract#/$defs/ApiError"
      },
      "409": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "generateStory": {
    "body": {
      "$ref": "contract#/$defs/GenerateStoryRequest"
    },
    "bodyRequired": true,
    "query": null,
    "headers": {
      "type": "object",
      "additionalProperties": true,
      "required": [],
      "properties": {
        "idempotency-key": {
          "type": "string",
          "minLength": 1,
          "maxLength": 255
        }
      }
    },
    "responses": {
      "201": {
        "$ref": "contract#/$defs/StoryResponse"
      },
      "400": {
        "anyOf": [
          {
            "$ref": "contract#/$defs/ValidationError"
          },
          {
            "$ref": "contract#/$defs/ApiError"
          }
        ]
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "402": {
        "$ref": "contract#/$defs/PaymentRequiredError"
      },
      "404": {
        "$ref": "contract#/$defs/ApiError"
      },
      "409": {
        "$ref": "contract#/$defs/ApiError"
      },
      "413": {
        "$ref": "contract#/$defs/ApiError"
      },
      "415": {
        "$ref": "contract#/$defs/ApiError"
      },
      "422": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "listStories": {
    "body": null,
    "bodyRequired": false,
    "query": {
      "$ref": "contract#/$defs/ListStoriesQuery"
    },
    "headers": null,
    "responses": {
      "200": {
        "$ref": "contract#/$defs/StoryListResponse"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "422": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "getStory": {
    "body": null,
    "bodyRequired": false,
    "query": null,
    "headers": null,
    "responses": {
      "200": {
        "$ref": "contract#/$defs/StoryResponse"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "404": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "deleteStory": {
    "body": null,
    "bodyRequired": false,
    "query": null,
    "headers": null,
    "responses": {
      "204": null,
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "404": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "getSystemInfo": {
    "body": null,
    "bodyRequired": false,
    "query": null,
    "headers": null,
    "responses": {
      "200": {
        "$ref": "contract#/$defs/SystemInfoResponse"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "getSystemMetrics": {
    "body": null,
    "bodyRequired": false,
    "query": null,
    "headers": null,
    "responses": {
      "200": {
        "$ref": "contract#/$defs/SystemMetricsResponse"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "getSystemResources": {
    "body": null,
    "bodyRequired": false,
    "query": null,
    "headers": null,
    "responses": {
      "200": {
        "$ref": "contract#/$defs/SystemResourcesResponse"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "createChatCompletion": {
    "body": {
      "$ref": "contract#/$defs/CreateChatCompletionRequest"
    },
    "bodyRequired": true,
    "query": null,
    "headers": {
      "type": "object",
      "additionalProperties": true,
      "required": [],
      "properties": {
        "idempotency-key": {
          "type": "string",
          "minLength": 1,
          "maxLength": 255
        }
      }
    },
    "responses": {
      "200": {
        "$ref": "contract#/$defs/ChatCompletion"
      },
      "400": {
        "anyOf": [
          {
            "$ref": "contract#/$defs/ValidationError"
          },
          {
            "$ref": "contract#/$defs/ApiError"
          },
          {
            "$ref": "contract#/$defs/OpenAiError"
          }
        ]
      },
      "401": {
        "anyOf": [
          {
            "$ref": "contract#/$defs/ApiError"
          },
          {
            "$ref": "contract#/$defs/OpenAiError"
          }
        ]
      },
      "402": {
        "anyOf": [
          {
            "$ref": "contract#/$defs/PaymentRequiredError"
          },
          {
            "$ref": "contract#/$defs/OpenAiError"
          }
        ]
      },
      "404": {
        "anyOf": [
          {
            "$ref": "contract#/$defs/ApiError"
          },
          {
            "$ref": "contract#/$defs/OpenAiError"
          }
        ]
      },
      "409": {
        "anyOf": [
          {
            "$ref": "contract#/$defs/ApiError"
          },
          {
            "$ref": "contract#/$defs/OpenAiError"
          }
        ]
      },
      "413": {
        "anyOf": [
          {
            "$ref": "contract#/$defs/ApiError"
          },
          {
            "$ref": "contract#/$defs/OpenAiError"
          }
        ]
      },
      "415": {
        "anyOf": [
          {
            "$ref": "contract#/$defs/ApiError"
          },
          {
            "$ref": "contract#/$defs/OpenAiError"
          }
        ]
      },
      "422": {
        "anyOf": [
          {
            "$ref": "contract#/$defs/ApiError"
          },
          {
            "$ref": "contract#/$defs/OpenAiError"
          }
        ]
      },
      "429": {
        "anyOf": [
          {
            "$ref": "contract#/$defs/RateLimitError"
          },
          {
            "$ref": "contract#/$defs/OpenAiError"
          }
        ]
      },
      "default": {
        "anyOf": [
          {
            "$ref": "contract#/$defs/ApiError"
          },
          {
            "$ref": "contract#/$defs/OpenAiError"
          }
        ]
      }
    }
  },
  "createCompletion": {
    "body": {
      "$ref": "contract#/$defs/CreateCompletionRequest"
    },
    "bodyRequired": true,
    "query": null,
    "headers": {
      "type": "object",
      "additionalProperties": true,
      "required": [],
      "properties": {
        "idempotency-key": {
          "type": "string",
          "minLength": 1,
          "maxLength": 255
        }
      }
    },
    "responses": {
      "200": {
        "$ref": "contract#/$defs/TextCompletion"
      },
      "400": {
        "anyOf": [
          {
            "$ref": "contract#/$defs/ValidationError"
          },
          {
            "$ref": "contract#/$defs/ApiError"
          },
          {
            "$ref": "contract#/$defs/OpenAiError"
          }
        ]
      },
      "401": {
        "anyOf": [
          {
            "$ref": "contract#/$defs/ApiError"
          },
          {
            "$ref": "contract#/$defs/OpenAiError"
          }
        ]
      },
      "402": {
        "anyOf": [
          {
            "$ref": "contract#/$defs/PaymentRequiredError"
          },
          {
            "$ref": "contract#/$defs/OpenAiError"
          }
        ]
      },
      "404": {
        "anyOf": [
          {
            "$ref": "contract#/$defs/ApiError"
          },
          {
            "$ref": "contract#/$defs/OpenAiError"
          }
        ]
      },
      "409": {
        "anyOf": [
          {
            "$ref": "contract#/$defs/ApiError"
          },
          {
            "$ref": "contract#/$defs/OpenAiError"
          }
        ]
      },
      "413": {
        "anyOf": [
          {
            "$ref": "contract#/$defs/ApiError"
          },
          {
            "$ref": "contract#/$defs/OpenAiError"
          }
        ]
      },
      "415": {
        "anyOf": [
          {
            "$ref": "contract#/$defs/ApiError"
          },
          {
            "$ref": "contract#/$defs/OpenAiError"
          }
        ]
      },
      "422": {
        "anyOf": [
          {
            "$ref": "contract#/$defs/ApiError"
          },
          {
            "$ref": "contract#/$defs/OpenAiError"
          }
        ]
      },
      "429": {
        "anyOf": [
          {
            "$ref": "contract#/$defs/RateLimitError"
          },
          {
            "$ref": "contract#/$defs/OpenAiError"
          }
        ]
      },
      "default": {
        "anyOf": [
          {
            "$ref": "contract#/$defs/ApiError"
          },
          {
            "$ref": "contract#/$defs/OpenAiError"
          }
        ]
      }
    }
  },
  "createResponse": {
    "body": {
      "$ref": "contract#/$defs/CreateResponseRequest"
    },
    "bodyRequired": true,
    "query": null,
    "headers": {
      "type": "object",
      "additionalProperties": true,
      "required": [],
      "properties": {
        "idempotency-key": {
          "type": "string",
          "minLength": 1,
          "maxLength": 255
        }
      }
    },
    "responses": {
      "200": {
        "$ref": "contract#/$defs/ModelResponse"
      },
      "400": {
        "anyOf": [
          {
            "$ref": "contract#/$defs/ValidationError"
          },
          {
            "$ref": "contract#/$defs/ApiError"
          },
          {
            "$ref": "contract#/$defs/OpenAiError"
          }
        ]
      },
      "401": {
        "anyOf": [
          {
            "$ref": "contract#/$defs/ApiError"
          },
          {
            "$ref": "contract#/$defs/OpenAiError"
          }
        ]
      },
      "402": {
        "anyOf": [
          {
            "$ref": "contract#/$defs/PaymentRequiredError"
          },
          {
            "$ref": "contract#/$defs/OpenAiError"
          }
        ]
      },
      "404": {
        "anyOf": [
          {
            "$ref": "contract#/$defs/ApiError"
          },
          {
            "$ref": "contract#/$defs/OpenAiError"
          }
        ]
      },
      "409": {
        "anyOf": [
          {
            "$ref": "contract#/$defs/ApiError"
          },
          {
            "$ref": "contract#/$defs/OpenAiError"
          }
        ]
      },
      "413": {
        "anyOf": [
          {
            "$ref": "contract#/$defs/ApiError"
          },
          {
            "$ref": "contract#/$defs/OpenAiError"
          }
        ]
      },
      "415": {
        "anyOf": [
          {
            "$ref": "contract#/$defs/ApiError"
          },
          {
            "$ref": "contract#/$defs/OpenAiError"
          }
        ]
      },
      "422": {
        "anyOf": [
          {
            "$ref": "contract#/$defs/ApiError"
          },
          {
            "$ref": "contract#/$defs/OpenAiError"
          }
        ]
      },
      "429": {
        "anyOf": [
          {
            "$ref": "contract#/$defs/RateLimitError"
          },
          {
            "$ref": "contract#/$defs/OpenAiError"
          }
        ]
      },
      "default": {
        "anyOf": [
          {
            "$ref": "contract#/$defs/ApiError"
          },
          {
            "$ref": "contract#/$defs/OpenAiError"
          }
        ]
      }
    }
  },
  "createMessage": {
    "body": {
      "$ref": "contract#/$defs/CreateMessageRequest"
    },
    "bodyRequired": true,
    "query": {
      "$ref": "contract#/$defs/CreateMessageQuery"
    },
    "headers": {
      "type": "object",
      "additionalProperties": true,
      "required": [],
      "properties": {
        "idempotency-key": {
          "type": "string",
          "minLength": 1,
          "maxLength": 255
        },
        "anthropic-version": {
          "type": "string",
          "maxLength": 100
        },
        "anthropic-beta": {
          "type": "string",
          "maxLength": 4000
        }
      }
    },
    "responses": {
      "200": {
        "$ref": "contract#/$defs/AnsweredMessage"
      },
      "400": {
        "$ref": "contract#/$defs/MessageError"
      },
      "401": {
        "$ref": "contract#/$defs/MessageError"
      },
      "402": {
        "$ref": "contract#/$defs/MessageError"
      },
      "404": {
        "$ref": "contract#/$defs/MessageError"
      },
      "409": {
        "$ref": "contract#/$defs/MessageError"
      },
      "413": {
        "$ref": "contract#/$defs/MessageError"
      },
      "415": {
        "$ref": "contract#/$defs/MessageError"
      },
      "422": {
        "$ref": "contract#/$defs/MessageError"
      },
      "429": {
        "$ref": "contract#/$defs/MessageError"
      },
      "default": {
        "$ref": "contract#/$defs/MessageError"
      }
    }
  },
  "countMessageTokens": {
    "body": {
      "$ref": "contract#/$defs/CountMessageTokensRequest"
    },
    "bodyRequired": true,
    "query": {
      "$ref": "contract#/$defs/CountMessageTokensQuery"
    },
    "headers": {
      "type": "object",
      "additionalProperties": true,
      "required": [],
      "properties": {
        "anthropic-version": {
          "type": "string",
          "maxLength": 100
        },
        "anthropic-beta": {
          "type": "string",
          "maxLength": 4000
        }
      }
    },
    "responses": {
      "200": {
        "$ref": "contract#/$defs/MessageTokens"
      },
      "400": {
        "$ref": "contract#/$defs/MessageError"
      },
      "401": {
        "$ref": "contract#/$defs/MessageError"
      },
      "404": {
        "$ref": "contract#/$defs/MessageError"
      },
      "413": {
        "$ref": "contract#/$defs/MessageError"
      },
      "415": {
        "$ref": "contract#/$defs/MessageError"
      },
      "429": {
        "$ref": "contract#/$defs/MessageError"
      },
      "default": {
        "$ref": "contract#/$defs/MessageError"
      }
    }
  },
  "createEmbedding": {
    "body": {
      "$ref": "contract#/$defs/CreateEmbeddingRequest"
    },
    "bodyRequired": true,
    "query": null,
    "headers": {
      "type": "object",
      "additionalProperties": true,
      "required": [],
      "properties": {
        "idempotency-key": {
          "type": "string",
          "minLength": 1,
          "maxLength": 255
        }
      }
    },
    "responses": {
      "200": {
        "$ref": "contract#/$defs/EmbeddingList"
      },
      "400": {
        "anyOf": [
          {
            "$ref": "contract#/$defs/ValidationError"
          },
          {
            "$ref": "contract#/$defs/ApiError"
          },
          {
            "$ref": "contract#/$defs/OpenAiError"
          }
        ]
      },
      "401": {
        "anyOf": [
          {
            "$ref": "contract#/$defs/ApiError"
          },
          {
            "$ref": "contract#/$defs/OpenAiError"
          }
        ]
      },
      "402": {
        "anyOf": [
          {
            "$ref": "contract#/$defs/PaymentRequiredError"
          },
          {
            "$ref": "contract#/$defs/OpenAiError"
          }
        ]
      },
      "404": {
        "anyOf": [
          {
            "$ref": "contract#/$defs/ApiError"
          },
          {
            "$ref": "contract#/$defs/OpenAiError"
          }
        ]
      },
      "409": {
        "anyOf": [
          {
            "$ref": "contract#/$defs/ApiError"
          },
          {
            "$ref": "contract#/$defs/OpenAiError"
          }
        ]
      },
      "413": {
        "anyOf": [
          {
            "$ref": "contract#/$defs/ApiError"
          },
          {
            "$ref": "contract#/$defs/OpenAiError"
          }
        ]
      },
      "415": {
        "anyOf": [
          {
            "$ref": "contract#/$defs/ApiError"
          },
          {
            "$ref": "contract#/$defs/OpenAiError"
          }
        ]
      },
      "422": {
        "anyOf": [
          {
            "$ref": "contract#/$defs/ApiError"
          },
          {
            "$ref": "contract#/$defs/OpenAiError"
          }
        ]
      },
      "429": {
        "anyOf": [
          {
            "$ref": "contract#/$defs/RateLimitError"
          },
          {
            "$ref": "contract#/$defs/OpenAiError"
          }
        ]
      },
      "default": {
        "anyOf": [
          {
            "$ref": "contract#/$defs/ApiError"
          },
          {
            "$ref": "contract#/$defs/OpenAiError"
          }
        ]
      }
    }
  },
  "listModels": {
    "body": null,
    "bodyRequired": false,
    "query": null,
    "headers": null,
    "responses": {
      "200": {
        "$ref": "contract#/$defs/ModelList"
      },
      "401": {
        "anyOf": [
          {
            "$ref": "contract#/$defs/ApiError"
          },
          {
            "$ref": "contract#/$defs/OpenAiError"
          }
        ]
      },
      "429": {
        "anyOf": [
          {
            "$ref": "contract#/$defs/RateLimitError"
          },
          {
            "$ref": "contract#/$defs/OpenAiError"
          }
        ]
      },
      "default": {
        "anyOf": [
          {
            "$ref": "contract#/$defs/ApiError"
          },
          {
            "$ref": "contract#/$defs/OpenAiError"
          }
        ]
      }
    }
  },
  "getModel": {
    "body": null,
    "bodyRequired": false,
    "query": null,
    "headers": null,
    "responses": {
      "200": {
        "$ref": "contract#/$defs/Model"
      },
      "401": {
        "anyOf": [
          {
            "$ref": "contract#/$defs/ApiError"
          },
          {
            "$ref": "contract#/$defs/OpenAiError"
          }
        ]
      },
      "404": {
        "anyOf": [
          {
            "$ref": "contract#/$defs/ApiError"
          },
          {
            "$ref": "contract#/$defs/OpenAiError"
          }
        ]
      },
      "429": {
        "anyOf": [
          {
            "$ref": "contract#/$defs/RateLimitError"
          },
          {
            "$ref": "contract#/$defs/OpenAiError"
          }
        ]
      },
      "default": {
        "anyOf": [
          {
            "$ref": "contract#/$defs/ApiError"
          },
          {
            "$ref": "contract#/$defs/OpenAiError"
          }
        ]
      }
    }
  },
  "uploadDocument": {
    "body": {
      "$ref": "contract#/$defs/UploadDocumentRequest"
    },
    "bodyRequired": true,
    "query": null,
    "headers": {
      "type": "object",
      "additionalProperties": true,
      "required": [],
      "properties": {
        "idempotency-key": {
          "type": "string",
          "minLength": 1,
          "maxLength": 255
        }
      }
    },
    "responses": {
      "201": {
        "$ref": "contract#/$defs/UploadedDocumentResponse"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "402": {
        "$ref": "contract#/$defs/PaymentRequiredError"
      },
      "409": {
        "$ref": "contract#/$defs/ApiError"
      },
      "415": {
        "$ref": "contract#/$defs/ApiError"
      },
      "422": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "listDocuments": {
    "body": null,
    "bodyRequired": false,
    "query": {
      "$ref": "contract#/$defs/ListDocumentsQuery"
    },
    "headers": null,
    "responses": {
      "200": {
        "$ref": "contract#/$defs/DocumentListResponse"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "422": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "getDocument": {
    "body": null,
    "bodyRequired": false,
    "query": null,
    "headers": null,
    "responses": {
      "200": {
        "$ref": "contract#/$defs/DocumentResponse"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "404": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "deleteDocument": {
    "body": null,
    "bodyRequired": false,
    "query": null,
    "headers": null,
    "responses": {
      "204": null,
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "404": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "getDocumentContent": {
    "body": null,
    "bodyRequired": false,
    "query": null,
    "headers": {
      "type": "object",
      "additionalProperties": true,
      "required": [],
      "properties": {
        "range": {
          "type": "string",
          "maxLength": 255
        },
        "if-range": {
          "type": "string",
          "maxLength": 255
        },
        "if-none-match": {
          "type": "string",
          "maxLength": 4096
        }
      }
    },
    "responses": {
      "200": null,
      "206": null,
      "304": null,
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "404": {
        "$ref": "contract#/$defs/ApiError"
      },
      "416": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "processDocument": {
    "body": null,
    "bodyRequired": false,
    "query": null,
    "headers": {
      "type": "object",
      "additionalProperties": true,
      "required": [],
      "properties": {
        "idempotency-key": {
          "type": "string",
          "minLength": 1,
          "maxLength": 255
        }
      }
    },
    "responses": {
      "200": {
        "$ref": "contract#/$defs/DocumentResponse"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "402": {
        "$ref": "contract#/$defs/PaymentRequiredError"
      },
      "404": {
        "$ref": "contract#/$defs/ApiError"
      },
      "409": {
        "$ref": "contract#/$defs/ApiError"
      },
      "422": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "503": {
        "$ref": "contract#/$defs/ApiError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "extractDocument": {
    "body": {
      "$ref": "contract#/$defs/ExtractDocumentRequest"
    },
    "bodyRequired": true,
    "query": null,
    "headers": {
      "type": "object",
      "additionalProperties": true,
      "required": [],
      "properties": {
        "idempotency-key": {
          "type": "string",
          "minLength": 1,
          "maxLength": 255
        }
      }
    },
    "responses": {
      "200": {
        "$ref": "contract#/$defs/DocumentExtractResponse"
      },
      "400": {
        "anyOf": [
          {
            "$ref": "contract#/$defs/ValidationError"
          },
          {
            "$ref": "contract#/$defs/ApiError"
          }
        ]
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "402": {
        "$ref": "contract#/$defs/PaymentRequiredError"
      },
      "404": {
        "$ref": "contract#/$defs/ApiError"
      },
      "409": {
        "$ref": "contract#/$defs/ApiError"
      },
      "413": {
        "$ref": "contract#/$defs/ApiError"
      },
      "415": {
        "$ref": "contract#/$defs/ApiError"
      },
      "422": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "503": {
        "$ref": "contract#/$defs/ApiError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "processAdvanced": {
    "body": {
      "$ref": "contract#/$defs/ProcessAdvancedRequest"
    },
    "bodyRequired": true,
    "query": null,
    "headers": {
      "type": "object",
      "additionalProperties": true,
      "required": [],
      "properties": {
        "idempotency-key": {
          "type": "string",
          "minLength": 1,
          "maxLength": 255
        }
      }
    },
    "responses": {
      "200": {
        "$ref": "contract#/$defs/ProcessedContentResponse"
      },
      "400": {
        "anyOf": [
          {
            "$ref": "contract#/$defs/ValidationError"
          },
          {
            "$ref": "contract#/$defs/ApiError"
          }
        ]
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "402": {
        "$ref": "contract#/$defs/PaymentRequiredError"
      },
      "404": {
        "$ref": "contract#/$defs/ApiError"
      },
      "409": {
        "$ref": "contract#/$defs/ApiError"
      },
      "413": {
        "$ref": "contract#/$defs/ApiError"
      },
      "415": {
        "$ref": "contract#/$defs/ApiError"
      },
      "422": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "analyzeAdvanced": {
    "body": {
      "$ref": "contract#/$defs/AnalyzeAdvancedRequest"
    },
    "bodyRequired": true,
    "query": null,
    "headers": {
      "type": "object",
      "additionalProperties": true,
      "required": [],
      "properties": {
        "idempotency-key": {
          "type": "string",
          "minLength": 1,
          "maxLength": 255
        }
      }
    },
    "responses": {
      "200": {
        "$ref": "contract#/$defs/ContentAnalysisResponse"
      },
      "400": {
        "anyOf": [
          {
            "$ref": "contract#/$defs/ValidationError"
          },
          {
            "$ref": "contract#/$defs/ApiError"
          }
        ]
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "402": {
        "$ref": "contract#/$defs/PaymentRequiredError"
      },
      "404": {
        "$ref": "contract#/$defs/ApiError"
      },
      "409": {
        "$ref": "contract#/$defs/ApiError"
      },
      "413": {
        "$ref": "contract#/$defs/ApiError"
      },
      "415": {
        "$ref": "contract#/$defs/ApiError"
      },
      "422": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "generateAdvanced": {
    "body": {
      "$ref": "contract#/$defs/GenerateAdvancedRequest"
    },
    "bodyRequired": true,
    "query": null,
    "headers": {
      "type": "object",
      "additionalProperties": true,
      "required": [],
      "properties": {
        "idempotency-key": {
          "type": "string",
          "minLength": 1,
          "maxLength": 255
        }
      }
    },
    "responses": {
      "200": {
        "$ref": "contract#/$defs/GeneratedContentResponse"
      },
      "400": {
        "anyOf": [
          {
            "$ref": "contract#/$defs/ValidationError"
          },
          {
            "$ref": "contract#/$defs/ApiError"
          }
        ]
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "402": {
        "$ref": "contract#/$defs/PaymentRequiredError"
      },
      "404": {
        "$ref": "contract#/$defs/ApiError"
      },
      "409": {
        "$ref": "contract#/$defs/ApiError"
      },
      "413": {
        "$ref": "contract#/$defs/ApiError"
      },
      "415": {
        "$ref": "contract#/$defs/ApiError"
      },
      "422": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "optimizeAdvanced": {
    "body": {
      "$ref": "contract#/$defs/OptimizeAdvancedRequest"
    },
    "bodyRequired": true,
    "query": null,
    "headers": {
      "type": "object",
      "additionalProperties": true,
      "required": [],
      "properties": {
        "idempotency-key": {
          "type": "string",
          "minLength": 1,
          "maxLength": 255
        }
      }
    },
    "responses": {
      "200": {
        "$ref": "contract#/$defs/OptimizedContentResponse"
      },
      "400": {
        "anyOf": [
          {
            "$ref": "contract#/$defs/ValidationError"
          },
          {
            "$ref": "contract#/$defs/ApiError"
          }
        ]
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "402": {
        "$ref": "contract#/$defs/PaymentRequiredError"
      },
      "404": {
        "$ref": "contract#/$defs/ApiError"
      },
      "409": {
        "$ref": "contract#/$defs/ApiError"
      },
      "413": {
        "$ref": "contract#/$defs/ApiError"
      },
      "415": {
        "$ref": "contract#/$defs/ApiError"
      },
      "422": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "getOmmHealth": {
    "body": null,
    "bodyRequired": false,
    "query": null,
    "headers": null,
    "responses": {
      "200": {
        "$ref": "contract#/$defs/Health"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "processInputs": {
    "body": {
      "$ref": "contract#/$defs/ProcessInputsRequest"
    },
    "bodyRequired": true,
    "query": null,
    "headers": {
      "type": "object",
      "additionalProperties": true,
      "required": [],
      "properties": {
        "idempotency-key": {
          "type": "string",
          "minLength": 1,
          "maxLength": 255
        }
      }
    },
    "responses": {
      "200": {
        "$ref": "contract#/$defs/OmmProcessedResponse"
      },
      "400": {
        "anyOf": [
          {
            "$ref": "contract#/$defs/ValidationError"
          },
          {
            "$ref": "contract#/$defs/ApiError"
          }
        ]
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "402": {
        "$ref": "contract#/$defs/PaymentRequiredError"
      },
      "404": {
        "$ref": "contract#/$defs/ApiError"
      },
      "409": {
        "$ref": "contract#/$defs/ApiError"
      },
      "413": {
        "$ref": "contract#/$defs/ApiError"
      },
      "415": {
        "$ref": "contract#/$defs/ApiError"
      },
      "422": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "503": {
        "$ref": "contract#/$defs/ApiError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "analyzeInputs": {
    "body": {
      "$ref": "contract#/$defs/AnalyzeInputsRequest"
    },
    "bodyRequired": true,
    "query": null,
    "headers": {
      "type": "object",
      "additionalProperties": true,
      "required": [],
      "properties": {
        "idempotency-key": {
          "type": "string",
          "minLength": 1,
          "maxLength": 255
        }
      }
    },
    "responses": {
      "200": {
        "$ref": "contract#/$defs/OmmAnalysisResponse"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "402": {
        "$ref": "contract#/$defs/PaymentRequiredError"
      },
      "409": {
        "$ref": "contract#/$defs/ApiError"
      },
      "415": {
        "$ref": "contract#/$defs/ApiError"
      },
      "422": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "generateFromInputs": {
    "body": {
      "$ref": "contract#/$defs/GenerateFromInputsRequest"
    },
    "bodyRequired": true,
    "query": null,
    "headers": {
      "type": "object",
      "additionalProperties": true,
      "required": [],
      "properties": {
        "idempotency-key": {
          "type": "string",
          "minLength": 1,
          "maxLength": 255
        }
      }
    },
    "responses": {
      "200": {
        "$ref": "contract#/$defs/OmmGeneratedResponse"
      },
      "400": {
        "anyOf": [
          {
            "$ref": "contract#/$defs/ValidationError"
          },
          {
            "$ref": "contract#/$defs/ApiError"
          }
        ]
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "402": {
        "$ref": "contract#/$defs/PaymentRequiredError"
      },
      "404": {
        "$ref": "contract#/$defs/ApiError"
      },
      "409": {
        "$ref": "contract#/$defs/ApiError"
      },
      "413": {
        "$ref": "contract#/$defs/ApiError"
      },
      "415": {
        "$ref": "contract#/$defs/ApiError"
      },
      "422": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "503": {
        "$ref": "contract#/$defs/ApiError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "transformInput": {
    "body": {
      "$ref": "contract#/$defs/TransformInputRequest"
    },
    "bodyRequired": true,
    "query": null,
    "headers": {
      "type": "object",
      "additionalProperties": true,
      "required": [],
      "properties": {
        "idempotency-key": {
          "type": "string",
          "minLength": 1,
          "maxLength": 255
        }
      }
    },
    "responses": {
      "200": {
        "$ref": "contract#/$defs/OmmTransformedResponse"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "402": {
        "$ref": "contract#/$defs/PaymentRequiredError"
      },
      "409": {
        "$ref": "contract#/$defs/ApiError"
      },
      "415": {
        "$ref": "contract#/$defs/ApiError"
      },
      "422": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "runOmmBatch": {
    "body": {
      "$ref": "contract#/$defs/RunOmmBatchRequest"
    },
    "bodyRequired": true,
    "query": null,
    "headers": {
      "type": "object",
      "additionalProperties": true,
      "required": [],
      "properties": {
        "idempotency-key": {
          "type": "string",
          "minLength": 1,
          "maxLength": 255
        }
      }
    },
    "responses": {
      "200": {
        "$ref": "contract#/$defs/OmmBatchResponse"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "402": {
        "$ref": "contract#/$defs/PaymentRequiredError"
      },
      "409": {
        "$ref": "contract#/$defs/ApiError"
      },
      "415": {
        "$ref": "contract#/$defs/ApiError"
      },
      "422": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "listOmmModels": {
    "body": null,
    "bodyRequired": false,
    "query": null,
    "headers": null,
    "responses": {
      "200": {
        "$ref": "contract#/$defs/OmmModelsResponse"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "summarizeLegal": {
    "body": {
      "$ref": "contract#/$defs/SummarizeLegalRequest"
    },
    "bodyRequired": true,
    "query": null,
    "headers": {
      "type": "object",
      "additionalProperties": true,
      "required": [],
      "properties": {
        "idempotency-key": {
          "type": "string",
          "minLength": 1,
          "maxLength": 255
        }
      }
    },
    "responses": {
      "200": {
        "$ref": "contract#/$defs/LegalSummaryResponse"
      },
      "400": {
        "anyOf": [
          {
            "$ref": "contract#/$defs/ValidationError"
          },
          {
            "$ref": "contract#/$defs/ApiError"
          }
        ]
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "402": {
        "$ref": "contract#/$defs/PaymentRequiredError"
      },
      "404": {
        "$ref": "contract#/$defs/ApiError"
      },
      "409": {
        "$ref": "contract#/$defs/ApiError"
      },
      "413": {
        "$ref": "contract#/$defs/ApiError"
      },
      "415": {
        "$ref": "contract#/$defs/ApiError"
      },
      "422": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "analyzeLegal": {
    "body": {
      "$ref": "contract#/$defs/AnalyzeLegalRequest"
    },
    "bodyRequired": true,
    "query": null,
    "headers": {
      "type": "object",
      "additionalProperties": true,
      "required": [],
      "properties": {
        "idempotency-key": {
          "type": "string",
          "minLength": 1,
          "maxLength": 255
        }
      }
    },
    "responses": {
      "200": {
        "$ref": "contract#/$defs/LegalAnalysisResponse"
      },
      "400": {
        "anyOf": [
          {
            "$ref": "contract#/$defs/ValidationError"
          },
          {
            "$ref": "contract#/$defs/ApiError"
          }
        ]
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "402": {
        "$ref": "contract#/$defs/PaymentRequiredError"
      },
      "404": {
        "$ref": "contract#/$defs/ApiError"
      },
      "409": {
        "$ref": "contract#/$defs/ApiError"
      },
      "413": {
        "$ref": "contract#/$defs/ApiError"
      },
      "415": {
        "$ref": "contract#/$defs/ApiError"
      },
      "422": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "extractLegal": {
    "body": {
      "$ref": "contract#/$defs/ExtractLegalRequest"
    },
    "bodyRequired": true,
    "query": null,
    "headers": {
      "type": "object",
      "additionalProperties": true,
      "required": [],
      "properties": {
        "idempotency-key": {
          "type": "string",
          "minLength": 1,
          "maxLength": 255
        }
      }
    },
    "responses": {
      "200": {
        "$ref": "contract#/$defs/LegalFactsResponse"
      },
      "400": {
        "anyOf": [
          {
            "$ref": "contract#/$defs/ValidationError"
          },
          {
            "$ref": "contract#/$defs/ApiError"
          }
        ]
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "402": {
        "$ref": "contract#/$defs/PaymentRequiredError"
      },
      "404": {
        "$ref": "contract#/$defs/ApiError"
      },
      "409": {
        "$ref": "contract#/$defs/ApiError"
      },
      "413": {
        "$ref": "contract#/$defs/ApiError"
      },
      "415": {
        "$ref": "contract#/$defs/ApiError"
      },
      "422": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "compareLegal": {
    "body": {
      "$ref": "contract#/$defs/CompareLegalRequest"
    },
    "bodyRequired": true,
    "query": null,
    "headers": {
      "type": "object",
      "additionalProperties": true,
      "required": [],
      "properties": {
        "idempotency-key": {
          "type": "string",
          "minLength": 1,
          "maxLength": 255
        }
      }
    },
    "responses": {
      "200": {
        "$ref": "contract#/$defs/LegalComparisonResponse"
      },
      "400": {
        "anyOf": [
          {
            "$ref": "contract#/$defs/ValidationError"
          },
          {
            "$ref": "contract#/$defs/ApiError"
          }
        ]
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "402": {
        "$ref": "contract#/$defs/PaymentRequiredError"
      },
      "404": {
        "$ref": "contract#/$defs/ApiError"
      },
      "409": {
        "$ref": "contract#/$defs/ApiError"
      },
      "413": {
        "$ref": "contract#/$defs/ApiError"
      },
      "415": {
        "$ref": "contract#/$defs/ApiError"
      },
      "422": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "analyzeProfessional": {
    "body": {
      "$ref": "contract#/$defs/AnalyzeProfessionalRequest"
    },
    "bodyRequired": true,
    "query": null,
    "headers": {
      "type": "object",
      "additionalProperties": true,
      "required": [],
      "properties": {
        "idempotency-key": {
          "type": "string",
          "minLength": 1,
          "maxLength": 255
        }
      }
    },
    "responses": {
      "200": {
        "$ref": "contract#/$defs/ProfessionalAnalysisResponse"
      },
      "400": {
        "anyOf": [
          {
            "$ref": "contract#/$defs/ValidationError"
          },
          {
            "$ref": "contract#/$defs/ApiError"
          }
        ]
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "402": {
        "$ref": "contract#/$defs/PaymentRequiredError"
      },
      "404": {
        "$ref": "contract#/$defs/ApiError"
      },
      "409": {
        "$ref": "contract#/$defs/ApiError"
      },
      "413": {
        "$ref": "contract#/$defs/ApiError"
      },
      "415": {
        "$ref": "contract#/$defs/ApiError"
      },
      "422": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "generateProfessional": {
    "body": {
      "$ref": "contract#/$defs/GenerateProfessionalRequest"
    },
    "bodyRequired": true,
    "query": null,
    "headers": {
      "type": "object",
      "additionalProperties": true,
      "required": [],
      "properties": {
        "idempotency-key": {
          "type": "string",
          "minLength": 1,
          "maxLength": 255
        }
      }
    },
    "responses": {
      "200": {
        "$ref": "contract#/$defs/ProfessionalDocumentResponse"
      },
      "400": {
        "anyOf": [
          {
            "$ref": "contract#/$defs/ValidationError"
          },
          {
            "$ref": "contract#/$defs/ApiError"
          }
        ]
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "402": {
        "$ref": "contract#/$defs/PaymentRequiredError"
      },
      "404": {
        "$ref": "contract#/$defs/ApiError"
      },
      "409": {
        "$ref": "contract#/$defs/ApiError"
      },
      "413": {
        "$ref": "contract#/$defs/ApiError"
      },
      "415": {
        "$ref": "contract#/$defs/ApiError"
      },
      "422": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "optimizeProfessional": {
    "body": {
      "$ref": "contract#/$defs/OptimizeProfessionalRequest"
    },
    "bodyRequired": true,
    "query": null,
    "headers": {
      "type": "object",
      "additionalProperties": true,
      "required": [],
      "properties": {
        "idempotency-key": {
          "type": "string",
          "minLength": 1,
          "maxLength": 255
        }
      }
    },
    "responses": {
      "200": {
        "$ref": "contract#/$defs/OptimizedTextResponse"
      },
      "400": {
        "anyOf": [
          {
            "$ref": "contract#/$defs/ValidationError"
          },
          {
            "$ref": "contract#/$defs/ApiError"
          }
        ]
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "402": {
        "$ref": "contract#/$defs/PaymentRequiredError"
      },
      "404": {
        "$ref": "contract#/$defs/ApiError"
      },
      "409": {
        "$ref": "contract#/$defs/ApiError"
      },
      "413": {
        "$ref": "contract#/$defs/ApiError"
      },
      "415": {
        "$ref": "contract#/$defs/ApiError"
      },
      "422": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "researchScholar": {
    "body": {
      "$ref": "contract#/$defs/ResearchScholarRequest"
    },
    "bodyRequired": true,
    "query": null,
    "headers": {
      "type": "object",
      "additionalProperties": true,
      "required": [],
      "properties": {
        "idempotency-key": {
          "type": "string",
          "minLength": 1,
          "maxLength": 255
        }
      }
    },
    "responses": {
      "200": {
        "$ref": "contract#/$defs/ScholarResearchResponse"
      },
      "400": {
        "anyOf": [
          {
            "$ref": "contract#/$defs/ValidationError"
          },
          {
            "$ref": "contract#/$defs/ApiError"
          }
        ]
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "402": {
        "$ref": "contract#/$defs/PaymentRequiredError"
      },
      "404": {
        "$ref": "contract#/$defs/ApiError"
      },
      "409": {
        "$ref": "contract#/$defs/ApiError"
      },
      "413": {
        "$ref": "contract#/$defs/ApiError"
      },
      "415": {
        "$ref": "contract#/$defs/ApiError"
      },
      "422": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "citeScholar": {
    "body": {
      "$ref": "contract#/$defs/CiteScholarRequest"
    },
    "bodyRequired": true,
    "query": null,
    "headers": {
      "type": "object",
      "additionalProperties": true,
      "required": [],
      "properties": {
        "idempotency-key": {
          "type": "string",
          "minLength": 1,
          "maxLength": 255
        }
      }
    },
    "responses": {
      "200": {
        "$ref": "contract#/$defs/ScholarCitationsResponse"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "402": {
        "$ref": "contract#/$defs/PaymentRequiredError"
      },
      "409": {
        "$ref": "contract#/$defs/ApiError"
      },
      "415": {
        "$ref": "contract#/$defs/ApiError"
      },
      "422": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "summarizeScholar": {
    "body": {
      "$ref": "contract#/$defs/SummarizeScholarRequest"
    },
    "bodyRequired": true,
    "query": null,
    "headers": {
      "type": "object",
      "additionalProperties": true,
      "required": [],
      "properties": {
        "idempotency-key": {
          "type": "string",
          "minLength": 1,
          "maxLength": 255
        }
      }
    },
    "responses": {
      "200": {
        "$ref": "contract#/$defs/ScholarSummaryResponse"
      },
      "400": {
        "anyOf": [
          {
            "$ref": "contract#/$defs/ValidationError"
          },
          {
            "$ref": "contract#/$defs/ApiError"
          }
        ]
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "402": {
        "$ref": "contract#/$defs/PaymentRequiredError"
      },
      "404": {
        "$ref": "contract#/$defs/ApiError"
      },
      "409": {
        "$ref": "contract#/$defs/ApiError"
      },
      "413": {
        "$ref": "contract#/$defs/ApiError"
      },
      "415": {
        "$ref": "contract#/$defs/ApiError"
      },
      "422": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "analyzeScholar": {
    "body": {
      "$ref": "contract#/$defs/AnalyzeScholarRequest"
    },
    "bodyRequired": true,
    "query": null,
    "headers": {
      "type": "object",
      "additionalProperties": true,
      "required": [],
      "properties": {
        "idempotency-key": {
          "type": "string",
          "minLength": 1,
          "maxLength": 255
        }
      }
    },
    "responses": {
      "200": {
        "$ref": "contract#/$defs/ScholarAnalysisResponse"
      },
      "400": {
        "anyOf": [
          {
            "$ref": "contract#/$defs/ValidationError"
          },
          {
            "$ref": "contract#/$defs/ApiError"
          }
        ]
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "402": {
        "$ref": "contract#/$defs/PaymentRequiredError"
      },
      "404": {
        "$ref": "contract#/$defs/ApiError"
      },
      "409": {
        "$ref": "contract#/$defs/ApiError"
      },
      "413": {
        "$ref": "contract#/$defs/ApiError"
      },
      "415": {
        "$ref": "contract#/$defs/ApiError"
      },
      "422": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "generateCreative": {
    "body": {
      "$ref": "contract#/$defs/GenerateCreativeRequest"
    },
    "bodyRequired": true,
    "query": null,
    "headers": {
      "type": "object",
      "additionalProperties": true,
      "required": [],
      "properties": {
        "idempotency-key": {
          "type": "string",
          "minLength": 1,
          "maxLength": 255
        }
      }
    },
    "responses": {
      "200": {
        "$ref": "contract#/$defs/CreativeTextResponse"
      },
      "400": {
        "anyOf": [
          {
            "$ref": "contract#/$defs/ValidationError"
          },
          {
            "$ref": "contract#/$defs/ApiError"
          }
        ]
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "402": {
        "$ref": "contract#/$defs/PaymentRequiredError"
      },
      "404": {
        "$ref": "contract#/$defs/ApiError"
      },
      "409": {
        "$ref": "contract#/$defs/ApiError"
      },
      "413": {
        "$ref": "contract#/$defs/ApiError"
      },
      "415": {
        "$ref": "contract#/$defs/ApiError"
      },
      "422": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "enhanceCreative": {
    "body": {
      "$ref": "contract#/$defs/EnhanceCreativeRequest"
    },
    "bodyRequired": true,
    "query": null,
    "headers": {
      "type": "object",
      "additionalProperties": true,
      "required": [],
      "properties": {
        "idempotency-key": {
          "type": "string",
          "minLength": 1,
          "maxLength": 255
        }
      }
    },
    "responses": {
      "200": {
        "$ref": "contract#/$defs/EnhancementResponse"
      },
      "400": {
        "anyOf": [
          {
            "$ref": "contract#/$defs/ValidationError"
          },
          {
            "$ref": "contract#/$defs/ApiError"
          }
        ]
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "402": {
        "$ref": "contract#/$defs/PaymentRequiredError"
      },
      "404": {
        "$ref": "contract#/$defs/ApiError"
      },
      "409": {
        "$ref": "contract#/$defs/ApiError"
      },
      "413": {
        "$ref": "contract#/$defs/ApiError"
      },
      "415": {
        "$ref": "contract#/$defs/ApiError"
      },
      "422": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "brainstormCreative": {
    "body": {
      "$ref": "contract#/$defs/BrainstormCreativeRequest"
    },
    "bodyRequired": true,
    "query": null,
    "headers": {
      "type": "object",
      "additionalProperties": true,
      "required": [],
      "properties": {
        "idempotency-key": {
          "type": "string",
          "minLength": 1,
          "maxLength": 255
        }
      }
    },
    "responses": {
      "200": {
        "$ref": "contract#/$defs/BrainstormResponse"
      },
      "400": {
        "anyOf": [
          {
            "$ref": "contract#/$defs/ValidationError"
          },
          {
            "$ref": "contract#/$defs/ApiError"
          }
        ]
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "402": {
        "$ref": "contract#/$defs/PaymentRequiredError"
      },
      "404": {
        "$ref": "contract#/$defs/ApiError"
      },
      "409": {
        "$ref": "contract#/$defs/ApiError"
      },
      "413": {
        "$ref": "contract#/$defs/ApiError"
      },
      "415": {
        "$ref": "contract#/$defs/ApiError"
      },
      "422": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "generateDocs": {
    "body": {
      "$ref": "contract#/$defs/GenerateDocsRequest"
    },
    "bodyRequired": true,
    "query": null,
    "headers": {
      "type": "object",
      "additionalProperties": true,
      "required": [],
      "properties": {
        "idempotency-key": {
          "type": "string",
          "minLength": 1,
          "maxLength": 255
        }
      }
    },
    "responses": {
      "200": {
        "$ref": "contract#/$defs/GeneratedDocsResponse"
      },
      "400": {
        "anyOf": [
          {
            "$ref": "contract#/$defs/ValidationError"
          },
          {
            "$ref": "contract#/$defs/ApiError"
          }
        ]
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "402": {
        "$ref": "contract#/$defs/PaymentRequiredError"
      },
      "404": {
        "$ref": "contract#/$defs/ApiError"
      },
      "409": {
        "$ref": "contract#/$defs/ApiError"
      },
      "413": {
        "$ref": "contract#/$defs/ApiError"
      },
      "415": {
        "$ref": "contract#/$defs/ApiError"
      },
      "422": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "improveDocs": {
    "body": {
      "$ref": "contract#/$defs/ImproveDocsRequest"
    },
    "bodyRequired": true,
    "query": null,
    "headers": {
      "type": "object",
      "additionalProperties": true,
      "required": [],
      "properties": {
        "idempotency-key": {
          "type": "string",
          "minLength": 1,
          "maxLength": 255
        }
      }
    },
    "responses": {
      "200": {
        "$ref": "contract#/$defs/DocsImprovementResponse"
      },
      "400": {
        "anyOf": [
          {
            "$ref": "contract#/$defs/ValidationError"
          },
          {
            "$ref": "contract#/$defs/ApiError"
          }
        ]
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "402": {
        "$ref": "contract#/$defs/PaymentRequiredError"
      },
      "404": {
        "$ref": "contract#/$defs/ApiError"
      },
      "409": {
        "$ref": "contract#/$defs/ApiError"
      },
      "413": {
        "$ref": "contract#/$defs/ApiError"
      },
      "415": {
        "$ref": "contract#/$defs/ApiError"
      },
      "422": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "structureDocs": {
    "body": {
      "$ref": "contract#/$defs/StructureDocsRequest"
    },
    "bodyRequired": true,
    "query": null,
    "headers": {
      "type": "object",
      "additionalProperties": true,
      "required": [],
      "properties": {
        "idempotency-key": {
          "type": "string",
          "minLength": 1,
          "maxLength": 255
        }
      }
    },
    "responses": {
      "200": {
        "$ref": "contract#/$defs/DocsStructureResponse"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "402": {
        "$ref": "contract#/$defs/PaymentRequiredError"
      },
      "404": {
        "$ref": "contract#/$defs/ApiError"
      },
      "409": {
        "$ref": "contract#/$defs/ApiError"
      },
      "415": {
        "$ref": "contract#/$defs/ApiError"
      },
      "422": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "listWebhooks": {
    "body": null,
    "bodyRequired": false,
    "query": {
      "$ref": "contract#/$defs/ListWebhooksQuery"
    },
    "headers": null,
    "responses": {
      "200": {
        "$ref": "contract#/$defs/WebhookList"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "422": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "createWebhook": {
    "body": {
      "$ref": "contract#/$defs/CreateWebhookRequest"
    },
    "bodyRequired": true,
    "query": null,
    "headers": {
      "type": "object",
      "additionalProperties": true,
      "required": [],
      "properties": {
        "idempotency-key": {
          "type": "string",
          "minLength": 1,
          "maxLength": 255
        }
      }
    },
    "responses": {
      "201": {
        "$ref": "contract#/$defs/WebhookSecret"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "409": {
        "$ref": "contract#/$defs/ApiError"
      },
      "415": {
        "$ref": "contract#/$defs/ApiError"
      },
      "422": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "getWebhook": {
    "body": null,
    "bodyRequired": false,
    "query": null,
    "headers": null,
    "responses": {
      "200": {
        "$ref": "contract#/$defs/Webhook"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "404": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "updateWebhook": {
    "body": {
      "$ref": "contract#/$defs/UpdateWebhookRequest"
    },
    "bodyRequired": true,
    "query": null,
    "headers": null,
    "responses": {
      "200": {
        "$ref": "contract#/$defs/Webhook"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "404": {
        "$ref": "contract#/$defs/ApiError"
      },
      "415": {
        "$ref": "contract#/$defs/ApiError"
      },
      "422": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "deleteWebhook": {
    "body": null,
    "bodyRequired": false,
    "query": null,
    "headers": null,
    "responses": {
      "204": null,
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "404": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "rotateWebhookSecret": {
    "body": {
      "$ref": "contract#/$defs/RotateWebhookSecretRequest"
    },
    "bodyRequired": false,
    "query": null,
    "headers": {
      "type": "object",
      "additionalProperties": true,
      "required": [],
      "properties": {
        "idempotency-key": {
          "type": "string",
          "minLength": 1,
          "maxLength": 255
        }
      }
    },
    "responses": {
      "200": {
        "$ref": "contract#/$defs/WebhookSecret"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "404": {
        "$ref": "contract#/$defs/ApiError"
      },
      "409": {
        "$ref": "contract#/$defs/ApiError"
      },
      "415": {
        "$ref": "contract#/$defs/ApiError"
      },
      "422": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "listDeliveries": {
    "body": null,
    "bodyRequired": false,
    "query": {
      "$ref": "contract#/$defs/ListDeliveriesQuery"
    },
    "headers": null,
    "responses": {
      "200": {
        "$ref": "contract#/$defs/DeliveryList"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "404": {
        "$ref": "contract#/$defs/ApiError"
      },
      "422": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "getDelivery": {
    "body": null,
    "bodyRequired": false,
    "query": null,
    "headers": null,
    "responses": {
      "200": {
        "$ref": "contract#/$defs/WebhookDeliveryDetails"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "404": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "testWebhook": {
    "body": {
      "$ref": "contract#/$defs/TestWebhookRequest"
    },
    "bodyRequired": true,
    "query": null,
    "headers": {
      "type": "object",
      "additionalProperties": true,
      "required": [],
      "properties": {
        "idempotency-key": {
          "type": "string",
          "minLength": 1,
          "maxLength": 255
        }
      }
    },
    "responses": {
      "200": {
        "$ref": "contract#/$defs/WebhookDelivery"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "404": {
        "$ref": "contract#/$defs/ApiError"
      },
      "409": {
        "$ref": "contract#/$defs/ApiError"
      },
      "415": {
        "$ref": "contract#/$defs/ApiError"
      },
      "422": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "replayDeliveries": {
    "body": {
      "$ref": "contract#/$defs/ReplayDeliveriesRequest"
    },
    "bodyRequired": true,
    "query": null,
    "headers": null,
    "responses": {
      "200": {
        "$ref": "contract#/$defs/ReplayedDeliveries"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "404": {
        "$ref": "contract#/$defs/ApiError"
      },
      "409": {
        "$ref": "contract#/$defs/ApiError"
      },
      "415": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "retryDelivery": {
    "body": null,
    "bodyRequired": false,
    "query": null,
    "headers": null,
    "responses": {
      "200": {
        "$ref": "contract#/$defs/WebhookDelivery"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "404": {
        "$ref": "contract#/$defs/ApiError"
      },
      "409": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "listUsers": {
    "body": null,
    "bodyRequired": false,
    "query": {
      "$ref": "contract#/$defs/ListUsersQuery"
    },
    "headers": null,
    "responses": {
      "200": {
        "$ref": "contract#/$defs/AdminUserList"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "403": {
        "$ref": "contract#/$defs/ApiError"
      },
      "422": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "getUser": {
    "body": null,
    "bodyRequired": false,
    "query": null,
    "headers": null,
    "responses": {
      "200": {
        "$ref": "contract#/$defs/AdminUserDetails"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "403": {
        "$ref": "contract#/$defs/ApiError"
      },
      "404": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "updateUser": {
    "body": {
      "$ref": "contract#/$defs/UpdateUserRequest"
    },
    "bodyRequired": true,
    "query": null,
    "headers": null,
    "responses": {
      "200": {
        "$ref": "contract#/$defs/AdminUser"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "403": {
        "$ref": "contract#/$defs/ApiError"
      },
      "404": {
        "$ref": "contract#/$defs/ApiError"
      },
      "415": {
        "$ref": "contract#/$defs/ApiError"
      },
      "422": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "getOperatorOverview": {
    "body": null,
    "bodyRequired": false,
    "query": null,
    "headers": null,
    "responses": {
      "200": {
        "$ref": "contract#/$defs/OperatorOverview"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "403": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "getRevenue": {
    "body": null,
    "bodyRequired": false,
    "query": {
      "$ref": "contract#/$defs/GetRevenueQuery"
    },
    "headers": null,
    "responses": {
      "200": {
        "$ref": "contract#/$defs/Revenue"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "403": {
        "$ref": "contract#/$defs/ApiError"
      },
      "422": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "getServiceHealth": {
    "body": null,
    "bodyRequired": false,
    "query": null,
    "headers": null,
    "responses": {
      "200": {
        "$ref": "contract#/$defs/ServiceHealth"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "403": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "listTiers": {
    "body": null,
    "bodyRequired": false,
    "query": null,
    "headers": null,
    "responses": {
      "200": {
        "$ref": "contract#/$defs/TierList"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "403": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "listAllRequests": {
    "body": null,
    "bodyRequired": false,
    "query": {
      "$ref": "contract#/$defs/ListAllRequestsQuery"
    },
    "headers": null,
    "responses": {
      "200": {
        "$ref": "contract#/$defs/AllRequestList"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "403": {
        "$ref": "contract#/$defs/ApiError"
      },
      "422": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "createPasswordReset": {
    "body": {
      "$ref": "contract#/$defs/AccountActionRequest"
    },
    "bodyRequired": false,
    "query": null,
    "headers": null,
    "responses": {
      "200": {
        "$ref": "contract#/$defs/PasswordReset"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "403": {
        "$ref": "contract#/$defs/ApiError"
      },
      "404": {
        "$ref": "contract#/$defs/ApiError"
      },
      "409": {
        "$ref": "contract#/$defs/ApiError"
      },
      "415": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "logoutUser": {
    "body": {
      "$ref": "contract#/$defs/AccountActionRequest"
    },
    "bodyRequired": false,
    "query": null,
    "headers": null,
    "responses": {
      "204": null,
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "403": {
        "$ref": "contract#/$defs/ApiError"
      },
      "404": {
        "$ref": "contract#/$defs/ApiError"
      },
      "415": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "getReconciliation": {
    "body": null,
    "bodyRequired": false,
    "query": null,
    "headers": null,
    "responses": {
      "200": {
        "$ref": "contract#/$defs/Reconciliation"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "403": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "listAllPayments": {
    "body": null,
    "bodyRequired": false,
    "query": {
      "$ref": "contract#/$defs/ListAllPaymentsQuery"
    },
    "headers": null,
    "responses": {
      "200": {
        "$ref": "contract#/$defs/AdminPaymentList"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "403": {
        "$ref": "contract#/$defs/ApiError"
      },
      "422": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "getAnyPayment": {
    "body": null,
    "bodyRequired": false,
    "query": null,
    "headers": null,
    "responses": {
      "200": {
        "$ref": "contract#/$defs/AdminPayment"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "403": {
        "$ref": "contract#/$defs/ApiError"
      },
      "404": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "resolvePayment": {
    "body": {
      "$ref": "contract#/$defs/ResolvePaymentRequest"
    },
    "bodyRequired": true,
    "query": null,
    "headers": {
      "type": "object",
      "additionalProperties": true,
      "required": [],
      "properties": {
        "idempotency-key": {
          "type": "string",
          "minLength": 1,
          "maxLength": 255
        }
      }
    },
    "responses": {
      "200": {
        "$ref": "contract#/$defs/AdminPayment"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "403": {
        "$ref": "contract#/$defs/ApiError"
      },
      "404": {
        "$ref": "contract#/$defs/ApiError"
      },
      "409": {
        "$ref": "contract#/$defs/ApiError"
      },
      "415": {
        "$ref": "contract#/$defs/ApiError"
      },
      "422": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "getWebhooksHealth": {
    "body": null,
    "bodyRequired": false,
    "query": null,
    "headers": null,
    "responses": {
      "200": {
        "$ref": "contract#/$defs/WebhooksHealth"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "403": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "listAllWebhooks": {
    "body": null,
    "bodyRequired": false,
    "query": {
      "$ref": "contract#/$defs/ListAllWebhooksQuery"
    },
    "headers": null,
    "responses": {
      "200": {
        "$ref": "contract#/$defs/AdminWebhookList"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "403": {
        "$ref": "contract#/$defs/ApiError"
      },
      "422": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "enableWebhook": {
    "body": {
      "$ref": "contract#/$defs/EnableWebhookRequest"
    },
    "bodyRequired": false,
    "query": null,
    "headers": {
      "type": "object",
      "additionalProperties": true,
      "required": [],
      "properties": {
        "idempotency-key": {
          "type": "string",
          "minLength": 1,
          "maxLength": 255
        }
      }
    },
    "responses": {
      "200": {
        "$ref": "contract#/$defs/AdminWebhook"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "403": {
        "$ref": "contract#/$defs/ApiError"
      },
      "404": {
        "$ref": "contract#/$defs/ApiError"
      },
      "409": {
        "$ref": "contract#/$defs/ApiError"
      },
      "415": {
        "$ref": "contract#/$defs/ApiError"
      },
      "422": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "listAbandonedDeliveries": {
    "body": null,
    "bodyRequired": false,
    "query": {
      "$ref": "contract#/$defs/ListAbandonedDeliveriesQuery"
    },
    "headers": null,
    "responses": {
      "200": {
        "$ref": "contract#/$defs/AdminDeliveryList"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "403": {
        "$ref": "contract#/$defs/ApiError"
      },
      "422": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "listUpgradeRequests": {
    "body": null,
    "bodyRequired": false,
    "query": {
      "$ref": "contract#/$defs/ListUpgradeRequestsQuery"
    },
    "headers": null,
    "responses": {
      "200": {
        "$ref": "contract#/$defs/AdminUpgradeRequestList"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "403": {
        "$ref": "contract#/$defs/ApiError"
      },
      "422": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "approveUpgradeRequest": {
    "body": {
      "$ref": "contract#/$defs/ApproveUpgradeRequest"
    },
    "bodyRequired": false,
    "query": null,
    "headers": {
      "type": "object",
      "additionalProperties": true,
      "required": [],
      "properties": {
        "idempotency-key": {
          "type": "string",
          "minLength": 1,
          "maxLength": 255
        }
      }
    },
    "responses": {
      "200": {
        "$ref": "contract#/$defs/AdminUpgradeRequest"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "403": {
        "$ref": "contract#/$defs/ApiError"
      },
      "404": {
        "$ref": "contract#/$defs/ApiError"
      },
      "409": {
        "$ref": "contract#/$defs/ApiError"
      },
      "415": {
        "$ref": "contract#/$defs/ApiError"
      },
      "422": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "rejectUpgradeRequest": {
    "body": {
      "$ref": "contract#/$defs/RejectUpgradeRequest"
    },
    "bodyRequired": true,
    "query": null,
    "headers": {
      "type": "object",
      "additionalProperties": true,
      "required": [],
      "properties": {
        "idempotency-key": {
          "type": "string",
          "minLength": 1,
          "maxLength": 255
        }
      }
    },
    "responses": {
      "200": {
        "$ref": "contract#/$defs/AdminUpgradeRequest"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "403": {
        "$ref": "contract#/$defs/ApiError"
      },
      "404": {
        "$ref": "contract#/$defs/ApiError"
      },
      "409": {
        "$ref": "contract#/$defs/ApiError"
      },
      "415": {
        "$ref": "contract#/$defs/ApiError"
      },
      "422": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "getCall": {
    "body": null,
    "bodyRequired": false,
    "query": {
      "$ref": "contract#/$defs/GetCallQuery"
    },
    "headers": null,
    "responses": {
      "200": {
        "$ref": "contract#/$defs/AdminCall"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "403": {
        "$ref": "contract#/$defs/ApiError"
      },
      "404": {
        "$ref": "contract#/$defs/ApiError"
      },
      "409": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "listAdminActions": {
    "body": null,
    "bodyRequired": false,
    "query": {
      "$ref": "contract#/$defs/ListAdminActionsQuery"
    },
    "headers": null,
    "responses": {
      "200": {
        "$ref": "contract#/$defs/AdminActionList"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "401": {
        "$ref": "contract#/$defs/ApiError"
      },
      "403": {
        "$ref": "contract#/$defs/ApiError"
      },
      "422": {
        "$ref": "contract#/$defs/ApiError"
      },
      "429": {
        "$ref": "contract#/$defs/RateLimitError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "getLiveness": {
    "body": null,
    "bodyRequired": false,
    "query": null,
    "headers": null,
    "responses": {
      "200": {
        "$ref": "contract#/$defs/Health"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  },
  "getReadiness": {
    "body": null,
    "bodyRequired": false,
    "query": null,
    "headers": null,
    "responses": {
      "200": {
        "$ref": "contract#/$defs/Readiness"
      },
      "400": {
        "$ref": "contract#/$defs/ValidationError"
      },
      "503": {
        "$ref": "contract#/$defs/NotReady"
      },
      "default": {
        "$ref": "contract#/$defs/ApiError"
      }
    }
  }
};
