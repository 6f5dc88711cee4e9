import { render } from "preact";
import { computed, effect, useSignal } from "@preact/signals";
import { begin, events, forget, get, hasSession, Refused, tokenOfLink } from "./api";
import { lookAgain, pending, seen } from "./keys";
import { AccessScreen } from "./screens/access";
import { CalibrateScreen } from "./screens/calibrate";
import { DataScreen } from "./screens/data";
import { LedgerScreen } from "./screens/ledger";
import { PublishedScreen } from "./screens/published";
import { ReleasesScreen } from "./screens/releases";
import { StudyScreen } from "./screens/study";
import { VerifyScreen } from "./screens/verify";
import { catalogs, Me, may, me, openCatalog, plan, said, tab } from "./state";

// A new screen is one line here.
const SCREENS = [
  { id: "data", title: "Data", role: "steward", view: DataScreen },
  { id: "study", title: "Study", role: "analyst", view: StudyScreen },
  { id: "releases", title: "Releases", role: "analyst", view: ReleasesScreen },
  { id: "published", title: "Published", role: "reader", view: PublishedScreen },
  { id: "ledger", title: "Ledger", role: "analyst", view: LedgerScreen },
  { id: "calibrate", title: "Calibrator", role: "reader", view: CalibrateScreen },
  { id: "verify", title: "Verify", role: "reader", view: VerifyScreen },
  { id: "access", title: "Access", role: "steward", view: AccessScreen },
];

const waiting = computed(() => pending.value.filter((one) => ["queued", "running", "paid"].includes(one.state)).length);

// Whoever may more may also what those do who may less.
const sees = (role: string) => may("steward") || may(role) || (role === "reader" && me.value !== null);

async function enter(): Promise<void> {
  me.value = await get<Me>("me");
  const mine = SCREENS.filter((one) => sees(one.role));
  if (!mine.some((one) => one.id === tab.value)) tab.value = mine[0]?.id ?? "";
  catalogs.value = (await get<{ catalogs: { name: string; holds: boolean }[] }>("catalogs")).catalogs;
  const first = catalogs.value.find((one) => one.holds);
  if (first && sees("analyst")) await openCatalog(first.name);
  if (sees("analyst")) void lookAgain().then(listen);
}

// What happens to releases elsewhere, as long as the page is open; after a loss it asks again in a while.
async function listen(): Promise<void> {
  for (let wait = 1000; ; wait = Math.min(60_000, 2 * wait)) {
    try {
      await events((kind, data) => {
        if (kind !== "release") return;
        const told = JSON.parse(data);
        seen(told.request, told.state, told.entry);
      });
    } catch (error) {
      if (!(error instanceof Refused)) console.debug(String(error));
      if (error instanceof Refused && [401, 403].includes(error.status)) return;
    }
    await new Promise((done) => setTimeout(done, wait));
  }
}

function Entrance(props: { sentence: string }) {
  const token = useSignal(""), wrong = useSignal(props.sentence);
  const send = async (event: Event) => {
    event.preventDefault();
    try {
      await begin(token.value.trim());
      await enter();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      wrong.value = error.problem.sentence;
    }
  };
  return (
    <main class="entrance">
      <h1>Vernier</h1>
      <p>Open the link that <code>vernier serve</code> has printed, or enter the token that you were given.</p>
      <form onSubmit={(event) => void send(event)}>
        <label>Token <input type="password" autocomplete="off" value={token.value} onInput={(event) => (token.value = event.currentTarget.value)} required /></label>
        <button type="submit" class="primary">Enter</button>
      </form>
      {wrong.value && <p class="wrong" role="alert">{wrong.value}</p>}
    </main>
  );
}

function Page(props: { sentence: string }) {
  if (!me.value) return <Entrance sentence={props.sentence} />;
  const mine = SCREENS.filter((one) => sees(one.role));
  const View = mine.find((one) => one.id === tab.value)?.view;
  return (
    <>
      <a class="skip" href="#main" onClick={(event) => { event.preventDefault(); document.getElementById("main")?.focus(); }}>To the content</a>
      <header class="top">
        <span class="brand">Vernier</span>
        <nav aria-label="screens">{mine.map((one) => <button type="button" key={one.id} aria-current={tab.value === one.id ? "page" : undefined} onClick={() => { said.value = ""; tab.value = one.id; }}>{one.title}</button>)}</nav>
        <span class="left">{plan.value?.shown.ledger[0] ? `${plan.value.shown.ledger[0].name} ${plan.value.shown.ledger[0].left} left` : ""}{waiting.value > 0 ? ` · ${waiting.value} running` : ""}</span>
        <span class="who">{me.value.analyst || (me.value.local ? "this machine" : me.value.roles.join(", "))}</span>
      </header>
      <main id="main" tabIndex={-1}>
        {View && <View />}
        {sees("analyst") && catalogs.value.length === 0 && <p class="note">There is no catalog below the root of this server. <code>vernier catalog new DATA.csv</code> begins one.</p>}
      </main>
      <p class="said" role="status">{said.value}</p>
    </>
  );
}

async function start(): Promise<void> {
  let sentence = "";
  const token = tokenOfLink();
  try {
    if (token) await begin(token);
    if (hasSession()) await enter();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    if (me.value === null) forget();
    sentence = error.problem.sentence;
  }
  const root = document.getElementById("page")!;
  root.replaceChildren();
  render(<Page sentence={sentence} />, root);
}

// What was said is read and gone.
effect(() => {
  if (said.value === "") return;
  const later = setTimeout(() => (said.value = ""), 5000);
  return () => clearTimeout(later);
});

void start();
