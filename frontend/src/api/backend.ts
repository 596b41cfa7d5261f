import type {
  AnswerRequest, CallDetail, CallView, CardView, Change, DecideRequest, FieldError, Hello, HistoryFilter, HistoryPage, ListPage, ListView,
  LogPage, Problem, ProposeRequest, ProposeResult, QuestionView, ReplayView, ReviewedTool, RuleDraft,
  RulePreview, RuleView, SaveResult, ServerDetail, ServerDraft, ServerView, SettingsChange,
  SettingsView, StartRequest, ToolDetail, ToolGroup,
} from "./types";

/** Everything that the page asks of the program. Calls reject with a Fault (errors.ts). */
export interface Backend {
  servers: {
    list(): Promise<ServerView[]>;
    get(id: string): Promise<ServerDetail>;
    save(draft: ServerDraft): Promise<SaveResult>;
    check(draft: ServerDraft): Promise<Problem[]>;
    remove(id: string): Promise<void>;
    /** Within ten seconds of remove. */
    undoRemove(id: string): Promise<void>;
    start(id: string): Promise<void>;
    stop(id: string): Promise<void>;
    /** Raises the native question; true: agreed, and started. */
    consent(id: string): Promise<boolean>;
    log(id: string, after: number): Promise<LogPage>;
    setSecret(id: string, name: string, value: string): Promise<Problem[]>;
    deleteSecret(id: string, name: string): Promise<void>;
    /** Raises the native dialog for a certificate file; "" when none was chosen. */
    chooseCA(): Promise<string>;
    /** Raises the native dialog for a folder to open; "" when none was chosen. */
    addRoot(id: string): Promise<string>;
    removeRoot(id: string, path: string): Promise<void>;
  };
  tools: {
    list(): Promise<ToolGroup[]>;
    get(serverId: string, name: string): Promise<ToolDetail>;
    validate(serverId: string, name: string, argsText: string): Promise<FieldError[]>;
    refresh(serverId: string): Promise<void>;
    /** Records that the person reviewed these very definitions. */
    review(serverId: string, tools: ReviewedTool[]): Promise<void>;
  };
  rules: {
    list(): Promise<RuleView[]>;
    /** Where the making of a rule from a call begins. */
    draft(callId: string): Promise<RuleDraft>;
    preview(draft: RuleDraft): Promise<RulePreview>;
    /** Also decides those of the calls that wait and that it covers. */
    save(draft: RuleDraft, settle: string[]): Promise<RuleView>;
    pause(id: string, on: boolean): Promise<void>;
    revoke(id: string): Promise<void>;
    replay(draft: RuleDraft): Promise<void>;
    replayed(): Promise<ReplayView>;
    stopReplay(): Promise<void>;
  };
  calls: {
    propose(request: ProposeRequest): Promise<ProposeResult>;
    again(id: string): Promise<ProposeResult>;
    /** Reads what a block of a call's result links to. */
    read(id: string, block: number): Promise<CallView>;
    running(): Promise<CallView[]>;
    cancel(id: string): Promise<void>;
    withdraw(id: string): Promise<void>;
    pause(on: boolean): Promise<void>;
    history(filter: HistoryFilter): Promise<HistoryPage>;
    detail(id: string): Promise<CallDetail>;
  };
  approvals: {
    list(): Promise<CardView[]>;
    /** Starts the clock before which no answer counts. */
    shown(callId: string, revision: number): Promise<void>;
    decide(request: DecideRequest): Promise<CallView>;
    edit(callId: string, revision: number, argsText: string): Promise<ProposeResult>;
  };
  questions: {
    list(): Promise<QuestionView[]>;
    shown(id: string): Promise<void>;
    /** Field errors: nothing was sent. */
    answer(request: AnswerRequest): Promise<FieldError[]>;
    /** Opens the address in the system's browser and accepts. */
    open(id: string): Promise<boolean>;
  };
  lists: {
    /** Raises the native dialog for a file; its id is "" when none was chosen. */
    open(): Promise<ListView>;
    start(id: string, request: StartRequest): Promise<ListView>;
    list(): Promise<ListView[]>;
    get(id: string, from: number, count: number): Promise<ListPage>;
    close(id: string): Promise<void>;
    /** Raises the native dialog for where to save; false when nothing was chosen. */
    report(id: string): Promise<boolean>;
  };
  settings: {
    hello(): Promise<Hello>;
    get(): Promise<SettingsView>;
    set(change: SettingsChange): Promise<SettingsView>;
    /** value is JSON text, "" to forget the key. */
    saveUI(key: string, value: string): Promise<void>;
    dismissNotice(id: string): Promise<void>;
  };
  /** Kept bytes by handle, or a part of them. */
  readonly payload: (handle: string, offset?: number, length?: number) => Promise<ArrayBuffer>;
  /** Calls fn at each change until the function given back is called. */
  subscribe(fn: (change: Change) => void): () => void;
}
