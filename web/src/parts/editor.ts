import { autocompletion, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { sql, SQLDialect } from "@codemirror/lang-sql";
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { Diagnostic, setDiagnostics } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import { EditorView, keymap, placeholder } from "@codemirror/view";
import { tags } from "@lezer/highlight";

// CodeMirror for one statement, loaded where SQL is typed. It stands below a shadow root, where its styles are adopted
// sheets, which the page's policy allows.
const words = "select from where group by order having as and or not in is null between case when then else end join left on using cube rollup grouping sets distinct";
const functions = "count sum avg median quantile min max stddev variance bucket clamp coalesce upper lower substr year month round abs least greatest regr_slope regr_intercept corr";
const dialect = SQLDialect.define({ keywords: words, builtin: functions, types: "integer real string date boolean", doubleQuotedStrings: false });

const colours = HighlightStyle.define([
  { tag: tags.keyword, color: "var(--accent)", fontWeight: "600" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--good)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--c1)" },
  { tag: tags.comment, color: "var(--soft)" },
]);
const looks = EditorView.theme({
  "&": { backgroundColor: "var(--card)", color: "var(--ink)", border: "1px solid var(--line)", borderRadius: "0.4rem", fontSize: "0.9rem" },
  "&.cm-focused": { outline: "3px solid var(--accent)", outlineOffset: "2px" },
  ".cm-content": { fontFamily: 'ui-monospace, "DejaVu Sans Mono", monospace', caretColor: "var(--ink)", minHeight: "4.5em" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-placeholder": { color: "var(--soft)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "var(--line)" },
  ".cm-tooltip": { backgroundColor: "var(--card)", color: "var(--ink)", border: "1px solid var(--line)" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--accent)", color: "var(--on-accent)" },
});

export type Mistake = { from: number; sentence: string };
export type Options = { label: string; hint: string; text: string; at: number; tables: Record<string, string[]>; changed: (text: string) => void };

// An editor in this element, with the cursor at `at`; `mark` underlines a mistake, or none.
export function edit(place: HTMLElement, options: Options): { mark: (mistake: Mistake | null) => void; end: () => void } {
  const root = place.shadowRoot ?? place.attachShadow({ mode: "open" });
  const view = new EditorView({
    parent: root,
    root,
    state: EditorState.create({
      doc: options.text,
      selection: { anchor: Math.min(options.at, options.text.length) },
      extensions: [
        history(), autocompletion({ defaultKeymap: false }),
        keymap.of([...completionKeymap, ...defaultKeymap, ...historyKeymap]),  // Tab stays with the page
        sql({ dialect, schema: options.tables, upperCaseKeywords: true }), syntaxHighlighting(colours), looks, EditorView.lineWrapping,
        placeholder(options.hint),
        EditorView.contentAttributes.of({ "aria-label": options.label, "aria-multiline": "true", spellcheck: "false" }),
        EditorView.updateListener.of((update) => { if (update.docChanged) options.changed(update.state.doc.toString()); }),
      ],
    }),
  });
  view.focus();
  return {
    mark: (mistake) => {
      const length = view.state.doc.length;
      const all: Diagnostic[] = mistake ? [{ from: Math.min(mistake.from, length), to: Math.min(mistake.from + 1, length), severity: "error", message: mistake.sentence }] : [];
      view.dispatch(setDiagnostics(view.state, all));
    },
    end: () => view.destroy(),
  };
}
