// What the page asks of its server. It sends text and prints text: no figure of privacy or accuracy is computed here.

export type Problem = { kind?: string; sentence: string; details?: string[]; others?: Problem[] };

// What would do, where targets cost more than there is.
export type Beyond = {
  needs?: { epsilon: number; delta: number; shown: string };
  culprit?: { statistic: string; column: string };
  best?: { statistic: string; column: string; accuracy: string };
};

export class Refused extends Error {
  constructor(readonly status: number, readonly problem: Problem, readonly beyond: Beyond = {}) {
    super(problem.sentence);
  }
}

const KEY = "vernier.session";
let session = sessionStorage.getItem(KEY) ?? "";

async function refusedBy(answer: Response): Promise<Refused> {
  try {
    const told = await answer.json();
    return new Refused(answer.status, told.error, told);
  } catch {
    return new Refused(answer.status, { sentence: `the server answered with ${answer.status}` });
  }
}

async function send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Response> {
  const init: RequestInit = { method, headers: { ...headers } };
  if (session) (init.headers as Record<string, string>).Authorization = `Bearer ${session}`;
  if (body !== undefined) {
    (init.headers as Record<string, string>)["Content-Type"] = "application/json";
    init.body = JSON.stringify(body);
  }
  let answer: Response;
  try {
    answer = await fetch(path, init);
  } catch {
    throw new Refused(0, { sentence: "the server cannot be reached; was it stopped? What you have typed is still here" });
  }
  if (!answer.ok) throw await refusedBy(answer);
  return answer;
}

export async function get<T>(path: string): Promise<T> {
  return (await send("GET", `/api/v1/${path}`)).json();
}

export async function post<T>(path: string, body: unknown, headers?: Record<string, string>): Promise<T> {
  return (await send("POST", `/api/v1/${path}`, body, headers)).json();
}

export async function put<T>(path: string, body: unknown): Promise<T> {
  return (await send("PUT", `/api/v1/${path}`, body)).json();
}

export async function remove<T>(path: string): Promise<T> {
  return (await send("DELETE", `/api/v1/${path}`)).json();
}

// The events of the server as they come (text/event-stream); ends where the connection does.
export async function events(tell: (kind: string, data: string) => void): Promise<void> {
  const reader = (await send("GET", "/api/v1/events")).body!.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    rest += value;
    const blocks = rest.split("\n\n");
    rest = blocks.pop()!;
    for (const block of blocks) {
      const kind = /^event: (.*)$/m.exec(block)?.[1], data = /^data: (.*)$/m.exec(block)?.[1];
      if (kind) tell(kind, data ?? "");
    }
  }
}

export async function bytes(path: string): Promise<Blob> {
  return (await send("GET", `/api/v1/${path}`)).blob();
}

// By the token of a link or of a person; the session is kept for this tab.
export async function begin(token: string): Promise<void> {
  session = "";
  const answer = await post<{ session: string }>("session", { token });
  session = answer.session;
  sessionStorage.setItem(KEY, session);
}

// The token of the link, which is taken out of the address so that it is in no history.
export function tokenOfLink(): string {
  const token = /^#t=([\w-]+)$/.exec(location.hash)?.[1] ?? "";
  if (token) history.replaceState(null, "", location.pathname);
  return token;
}

export const hasSession = () => session !== "";

export function forget(): void {
  session = "";
  sessionStorage.removeItem(KEY);
}

export function save(name: string, content: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
