# The same questions as ask.mjs, by the openai package of Python.
import json, sys
from openai import APIError, OpenAI

base_url, key = sys.argv[1:3]
client = OpenAI(api_key=key, base_url=base_url, max_retries=0)
PROMPT = "What is in a.txt?"
FUNCTION = {
    "name": "read",
    "description": "Reads a file.",
    "strict": True,
    "parameters": {
        "type": "object",
        "properties": {"path": {"type": "string"}},
        "required": ["path"],
        "additionalProperties": False,
    },
}


def messages(content=PROMPT):
    return [{"role": "user", "content": content}]


def chat_use(use):
    details = use.prompt_tokens_details
    cached = (details.cached_tokens if details else 0) or 0
    return {"tokens": [use.prompt_tokens, use.completion_tokens, use.total_tokens], "cached": cached}


def response_use(use):
    return {"tokens": [use.input_tokens, use.output_tokens, use.total_tokens], "cached": use.input_tokens_details.cached_tokens}


def chat(model, content=PROMPT, max_tokens=None):
    caps = {} if max_tokens is None else {"max_tokens": max_tokens}
    answer = client.chat.completions.create(model=model, messages=messages(content), **caps)
    return {"text": answer.choices[0].message.content, **chat_use(answer.usage)}


def stream(model):
    with client.chat.completions.stream(
        model=model, messages=messages(), stream_options={"include_usage": True}
    ) as events:
        for _ in events:
            pass
        answer = events.get_final_completion()
    return {"text": answer.choices[0].message.content, **chat_use(answer.usage)}


def said(model, turns, stream):
    tools = [{"type": "function", "function": FUNCTION}]
    if not stream:
        return client.chat.completions.create(model=model, messages=turns, tools=tools).choices[0].message
    with client.chat.completions.stream(model=model, messages=turns, tools=tools) as events:
        for _ in events:
            pass
        return events.get_final_completion().choices[0].message


def tools(model, stream=False):
    turns, calls = messages(), []
    for _ in range(3):
        message = said(model, turns, stream)
        if not message.tool_calls:
            return {"text": message.content, "calls": calls}
        turns.append(message.to_dict())
        for call in message.tool_calls:
            arguments = json.loads(call.function.arguments)
            calls.append(arguments)
            turns.append({"role": "tool", "tool_call_id": call.id, "content": arguments["path"] + ": The cape."})
    raise RuntimeError("the model calls tools without end")


def responses(model):
    answer = client.responses.create(model=model, input=PROMPT)
    return {"text": answer.output_text, **response_use(answer.usage)}


def responses_stream(model):
    with client.responses.stream(model=model, input=PROMPT) as events:
        for _ in events:
            pass
        answer = events.get_final_response()
    return {"text": answer.output_text, **response_use(answer.usage)}


def embed(model):
    return {"vector": client.embeddings.create(model=model, input=PROMPT).data[0].embedding}


ASKED = {
    "chat": chat,
    "stream": stream,
    "tools": tools,
    "responses": responses,
    "responses-stream": responses_stream,
    "embed": embed,
}

for line in sys.stdin:
    question = json.loads(line)
    question.pop("client")
    ask = ASKED[question.pop("what")]
    try:
        outcome = {"value": ask(**question)}
    except APIError as error:
        status = getattr(error, "status_code", None)
        outcome = {"error": {"status": status, "message": error.message, "code": error.code}}
    print(json.dumps(outcome), flush=True)
