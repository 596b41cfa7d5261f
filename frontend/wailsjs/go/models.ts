export namespace app {
	
	export class Annotation {
	    label: string;
	    claim: string;
	
	    static createFrom(source: any = {}) {
	        return new Annotation(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.label = source["label"];
	        this.claim = source["claim"];
	    }
	}
	export class AnswerRequest {
	    id: string;
	    action: string;
	    contentText: string;
	
	    static createFrom(source: any = {}) {
	        return new AnswerRequest(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.action = source["action"];
	        this.contentText = source["contentText"];
	    }
	}
	export class BytesView {
	    text: string;
	    size: number;
	    handle: string;
	    masked: number;
	
	    static createFrom(source: any = {}) {
	        return new BytesView(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.text = source["text"];
	        this.size = source["size"];
	        this.handle = source["handle"];
	        this.masked = source["masked"];
	    }
	}
	export class BlockView {
	    index: number;
	    type: string;
	    text?: BytesView;
	    handle: string;
	    mime: string;
	    sniffed: string;
	    uri: string;
	    name: string;
	    title: string;
	    description: string;
	    size: number;
	    audience: string[];
	    raw: string;
	    problem: string;
	
	    static createFrom(source: any = {}) {
	        return new BlockView(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.index = source["index"];
	        this.type = source["type"];
	        this.text = this.convertValues(source["text"], BytesView);
	        this.handle = source["handle"];
	        this.mime = source["mime"];
	        this.sniffed = source["sniffed"];
	        this.uri = source["uri"];
	        this.name = source["name"];
	        this.title = source["title"];
	        this.description = source["description"];
	        this.size = source["size"];
	        this.audience = source["audience"];
	        this.raw = source["raw"];
	        this.problem = source["problem"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	
	export class DecisionView {
	    verdict: string;
	    reason: string;
	    by: string;
	    rule: string;
	    at: string;
	    shownMs: number;
	
	    static createFrom(source: any = {}) {
	        return new DecisionView(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.verdict = source["verdict"];
	        this.reason = source["reason"];
	        this.by = source["by"];
	        this.rule = source["rule"];
	        this.at = source["at"];
	        this.shownMs = source["shownMs"];
	    }
	}
	export class TimelineItem {
	    seq: number;
	    time: string;
	    kind: string;
	    title: string;
	    detail: string;
	
	    static createFrom(source: any = {}) {
	        return new TimelineItem(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.seq = source["seq"];
	        this.time = source["time"];
	        this.kind = source["kind"];
	        this.title = source["title"];
	        this.detail = source["detail"];
	    }
	}
	export class RPCErrorView {
	    code: number;
	    message: string;
	    data: string;
	
	    static createFrom(source: any = {}) {
	        return new RPCErrorView(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.code = source["code"];
	        this.message = source["message"];
	        this.data = source["data"];
	    }
	}
	export class FieldError {
	    pointer: string;
	    message: string;
	
	    static createFrom(source: any = {}) {
	        return new FieldError(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.pointer = source["pointer"];
	        this.message = source["message"];
	    }
	}
	export class ResultView {
	    blocks: BlockView[];
	    structured?: BytesView;
	    isError: boolean;
	    notes: string[];
	    raw: BytesView;
	    schemaErrors: FieldError[];
	    error?: RPCErrorView;
	
	    static createFrom(source: any = {}) {
	        return new ResultView(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.blocks = this.convertValues(source["blocks"], BlockView);
	        this.structured = this.convertValues(source["structured"], BytesView);
	        this.isError = source["isError"];
	        this.notes = source["notes"];
	        this.raw = this.convertValues(source["raw"], BytesView);
	        this.schemaErrors = this.convertValues(source["schemaErrors"], FieldError);
	        this.error = this.convertValues(source["error"], RPCErrorView);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class ProgressView {
	    progress: number;
	    total: number;
	    message: string;
	
	    static createFrom(source: any = {}) {
	        return new ProgressView(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.progress = source["progress"];
	        this.total = source["total"];
	        this.message = source["message"];
	    }
	}
	export class CallView {
	    id: string;
	    ordinal: number;
	    state: string;
	    origin: string;
	    serverId: string;
	    serverName: string;
	    method: string;
	    tool: string;
	    toolTitle: string;
	    icon: string;
	    hue: number;
	    created: string;
	    updated: string;
	    decidedAt: string;
	    sentAt: string;
	    finishedAt: string;
	    revision: number;
	    progress?: ProgressView;
	    summary: string;
	    durationMs: number;
	    argsBytes: number;
	    resultBytes: number;
	    isError: boolean;
	    decision: string;
	    masked: number;
	
	    static createFrom(source: any = {}) {
	        return new CallView(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.ordinal = source["ordinal"];
	        this.state = source["state"];
	        this.origin = source["origin"];
	        this.serverId = source["serverId"];
	        this.serverName = source["serverName"];
	        this.method = source["method"];
	        this.tool = source["tool"];
	        this.toolTitle = source["toolTitle"];
	        this.icon = source["icon"];
	        this.hue = source["hue"];
	        this.created = source["created"];
	        this.updated = source["updated"];
	        this.decidedAt = source["decidedAt"];
	        this.sentAt = source["sentAt"];
	        this.finishedAt = source["finishedAt"];
	        this.revision = source["revision"];
	        this.progress = this.convertValues(source["progress"], ProgressView);
	        this.summary = source["summary"];
	        this.durationMs = source["durationMs"];
	        this.argsBytes = source["argsBytes"];
	        this.resultBytes = source["resultBytes"];
	        this.isError = source["isError"];
	        this.decision = source["decision"];
	        this.masked = source["masked"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class CallDetail {
	    call: CallView;
	    args: BytesView;
	    result?: ResultView;
	    timeline: TimelineItem[];
	    decision?: DecisionView;
	    definition: string;
	    serverGone: boolean;
	    parentId: string;
	    argsHash: string;
	    reads: CallView[];
	    unreadable: string;
	    readNote: string;
	
	    static createFrom(source: any = {}) {
	        return new CallDetail(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.call = this.convertValues(source["call"], CallView);
	        this.args = this.convertValues(source["args"], BytesView);
	        this.result = this.convertValues(source["result"], ResultView);
	        this.timeline = this.convertValues(source["timeline"], TimelineItem);
	        this.decision = this.convertValues(source["decision"], DecisionView);
	        this.definition = source["definition"];
	        this.serverGone = source["serverGone"];
	        this.parentId = source["parentId"];
	        this.argsHash = source["argsHash"];
	        this.reads = this.convertValues(source["reads"], CallView);
	        this.unreadable = source["unreadable"];
	        this.readNote = source["readNote"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	
	export class ChangeView {
	    pointer: string;
	    kind: string;
	    before: string;
	    after: string;
	
	    static createFrom(source: any = {}) {
	        return new ChangeView(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.pointer = source["pointer"];
	        this.kind = source["kind"];
	        this.before = source["before"];
	        this.after = source["after"];
	    }
	}
	export class DifferenceView {
	    since: string;
	    callId: string;
	    at: string;
	    changes: ChangeView[];
	    more: number;
	    problem: string;
	
	    static createFrom(source: any = {}) {
	        return new DifferenceView(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.since = source["since"];
	        this.callId = source["callId"];
	        this.at = source["at"];
	        this.changes = this.convertValues(source["changes"], ChangeView);
	        this.more = source["more"];
	        this.problem = source["problem"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class FindingView {
	    kind: string;
	    pointer: string;
	    name: boolean;
	    piece: string;
	    says: string;
	    definition: boolean;
	
	    static createFrom(source: any = {}) {
	        return new FindingView(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.kind = source["kind"];
	        this.pointer = source["pointer"];
	        this.name = source["name"];
	        this.piece = source["piece"];
	        this.says = source["says"];
	        this.definition = source["definition"];
	    }
	}
	export class Var {
	    name: string;
	    value: string;
	
	    static createFrom(source: any = {}) {
	        return new Var(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.name = source["name"];
	        this.value = source["value"];
	    }
	}
	export class OriginView {
	    kind: string;
	    text: string;
	    proven: boolean;
	
	    static createFrom(source: any = {}) {
	        return new OriginView(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.kind = source["kind"];
	        this.text = source["text"];
	        this.proven = source["proven"];
	    }
	}
	export class ServerView {
	    id: string;
	    name: string;
	    kind: string;
	    enabled: boolean;
	    state: string;
	    reason: string;
	    hint: string;
	    code: string;
	    since: string;
	    era: string;
	    version: string;
	    serverName: string;
	    serverVersion: string;
	    pid: number;
	    toolCount: number;
	    icon: string;
	    hue: number;
	    nextTry: string;
	    needsConsent: boolean;
	    fallbacks: string[];
	
	    static createFrom(source: any = {}) {
	        return new ServerView(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.name = source["name"];
	        this.kind = source["kind"];
	        this.enabled = source["enabled"];
	        this.state = source["state"];
	        this.reason = source["reason"];
	        this.hint = source["hint"];
	        this.code = source["code"];
	        this.since = source["since"];
	        this.era = source["era"];
	        this.version = source["version"];
	        this.serverName = source["serverName"];
	        this.serverVersion = source["serverVersion"];
	        this.pid = source["pid"];
	        this.toolCount = source["toolCount"];
	        this.icon = source["icon"];
	        this.hue = source["hue"];
	        this.nextTry = source["nextTry"];
	        this.needsConsent = source["needsConsent"];
	        this.fallbacks = source["fallbacks"];
	    }
	}
	export class CardView {
	    call: CallView;
	    revision: number;
	    hash: string;
	    args: BytesView;
	    server: ServerView;
	    toolTitle: string;
	    toolDescription: string;
	    annotations: Annotation[];
	    origin: OriginView;
	    inputSchema: string;
	    deadline: string;
	    unchecked: string;
	    notes: string[];
	    schemaErrors: FieldError[];
	    headers: Var[];
	    findings: FindingView[];
	    redefined?: DifferenceView;
	    rearranged?: DifferenceView;
	    why: string;
	    change: string;
	
	    static createFrom(source: any = {}) {
	        return new CardView(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.call = this.convertValues(source["call"], CallView);
	        this.revision = source["revision"];
	        this.hash = source["hash"];
	        this.args = this.convertValues(source["args"], BytesView);
	        this.server = this.convertValues(source["server"], ServerView);
	        this.toolTitle = source["toolTitle"];
	        this.toolDescription = source["toolDescription"];
	        this.annotations = this.convertValues(source["annotations"], Annotation);
	        this.origin = this.convertValues(source["origin"], OriginView);
	        this.inputSchema = source["inputSchema"];
	        this.deadline = source["deadline"];
	        this.unchecked = source["unchecked"];
	        this.notes = source["notes"];
	        this.schemaErrors = this.convertValues(source["schemaErrors"], FieldError);
	        this.headers = this.convertValues(source["headers"], Var);
	        this.findings = this.convertValues(source["findings"], FindingView);
	        this.redefined = this.convertValues(source["redefined"], DifferenceView);
	        this.rearranged = this.convertValues(source["rearranged"], DifferenceView);
	        this.why = source["why"];
	        this.change = source["change"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	
	export class DecideRequest {
	    callId: string;
	    revision: number;
	    hash: string;
	    approve: boolean;
	    reason: string;
	
	    static createFrom(source: any = {}) {
	        return new DecideRequest(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.callId = source["callId"];
	        this.revision = source["revision"];
	        this.hash = source["hash"];
	        this.approve = source["approve"];
	        this.reason = source["reason"];
	    }
	}
	
	
	
	
	export class Notice {
	    id: string;
	    level: string;
	    text: string;
	    hint: string;
	
	    static createFrom(source: any = {}) {
	        return new Notice(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.level = source["level"];
	        this.text = source["text"];
	        this.hint = source["hint"];
	    }
	}
	export class KeyringView {
	    persistent: boolean;
	    reason: string;
	
	    static createFrom(source: any = {}) {
	        return new KeyringView(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.persistent = source["persistent"];
	        this.reason = source["reason"];
	    }
	}
	export class Hello {
	    version: string;
	    dataDir: string;
	    keyring: KeyringView;
	    paused: boolean;
	    notices: Notice[];
	    uiState: Record<string, string>;
	
	    static createFrom(source: any = {}) {
	        return new Hello(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.version = source["version"];
	        this.dataDir = source["dataDir"];
	        this.keyring = this.convertValues(source["keyring"], KeyringView);
	        this.paused = source["paused"];
	        this.notices = this.convertValues(source["notices"], Notice);
	        this.uiState = source["uiState"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class HistoryFilter {
	    serverId: string;
	    tool: string;
	    states: string[];
	    text: string;
	    before: number;
	    limit: number;
	
	    static createFrom(source: any = {}) {
	        return new HistoryFilter(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.serverId = source["serverId"];
	        this.tool = source["tool"];
	        this.states = source["states"];
	        this.text = source["text"];
	        this.before = source["before"];
	        this.limit = source["limit"];
	    }
	}
	export class HistoryPage {
	    calls: CallView[];
	    more: boolean;
	    total: number;
	
	    static createFrom(source: any = {}) {
	        return new HistoryPage(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.calls = this.convertValues(source["calls"], CallView);
	        this.more = source["more"];
	        this.total = source["total"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	
	export class LaunchView {
	    kind: string;
	    command: string;
	    resolvedPath: string;
	    args: string[];
	    dir: string;
	    env: Var[];
	    url: string;
	    headers: Var[];
	    caFile: string;
	    proxy: string;
	    plainHttp: boolean;
	    fingerprint: string;
	    consented: boolean;
	    changed: string[];
	    warnings: string[];
	    error: string;
	
	    static createFrom(source: any = {}) {
	        return new LaunchView(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.kind = source["kind"];
	        this.command = source["command"];
	        this.resolvedPath = source["resolvedPath"];
	        this.args = source["args"];
	        this.dir = source["dir"];
	        this.env = this.convertValues(source["env"], Var);
	        this.url = source["url"];
	        this.headers = this.convertValues(source["headers"], Var);
	        this.caFile = source["caFile"];
	        this.proxy = source["proxy"];
	        this.plainHttp = source["plainHttp"];
	        this.fingerprint = source["fingerprint"];
	        this.consented = source["consented"];
	        this.changed = source["changed"];
	        this.warnings = source["warnings"];
	        this.error = source["error"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class ListCount {
	    state: string;
	    count: number;
	
	    static createFrom(source: any = {}) {
	        return new ListCount(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.state = source["state"];
	        this.count = source["count"];
	    }
	}
	export class ListLine {
	    line: number;
	    id: string;
	    serverName: string;
	    tool: string;
	    state: string;
	    callId: string;
	    reason: string;
	
	    static createFrom(source: any = {}) {
	        return new ListLine(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.line = source["line"];
	        this.id = source["id"];
	        this.serverName = source["serverName"];
	        this.tool = source["tool"];
	        this.state = source["state"];
	        this.callId = source["callId"];
	        this.reason = source["reason"];
	    }
	}
	export class ListView {
	    id: string;
	    name: string;
	    format: string;
	    lines: number;
	    faults: number;
	    columns: string[];
	    started: boolean;
	    serverId: string;
	    tool: string;
	    atOnce: number;
	    deadlineSeconds: number;
	    counts: ListCount[];
	    problem: string;
	
	    static createFrom(source: any = {}) {
	        return new ListView(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.name = source["name"];
	        this.format = source["format"];
	        this.lines = source["lines"];
	        this.faults = source["faults"];
	        this.columns = source["columns"];
	        this.started = source["started"];
	        this.serverId = source["serverId"];
	        this.tool = source["tool"];
	        this.atOnce = source["atOnce"];
	        this.deadlineSeconds = source["deadlineSeconds"];
	        this.counts = this.convertValues(source["counts"], ListCount);
	        this.problem = source["problem"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class ListPage {
	    list: ListView;
	    from: number;
	    lines: ListLine[];
	
	    static createFrom(source: any = {}) {
	        return new ListPage(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.list = this.convertValues(source["list"], ListView);
	        this.from = source["from"];
	        this.lines = this.convertValues(source["lines"], ListLine);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	
	export class LogLine {
	    n: number;
	    time: string;
	    source: string;
	    level: string;
	    text: string;
	
	    static createFrom(source: any = {}) {
	        return new LogLine(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.n = source["n"];
	        this.time = source["time"];
	        this.source = source["source"];
	        this.level = source["level"];
	        this.text = source["text"];
	    }
	}
	export class LogPage {
	    lines: LogLine[];
	    dropped: number;
	    next: number;
	
	    static createFrom(source: any = {}) {
	        return new LogPage(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.lines = this.convertValues(source["lines"], LogLine);
	        this.dropped = source["dropped"];
	        this.next = source["next"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	
	
	export class Problem {
	    field: string;
	    message: string;
	    warning: boolean;
	
	    static createFrom(source: any = {}) {
	        return new Problem(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.field = source["field"];
	        this.message = source["message"];
	        this.warning = source["warning"];
	    }
	}
	
	export class ProposeRequest {
	    serverId: string;
	    tool: string;
	    argsText: string;
	    parentId: string;
	    limitSeconds: number;
	
	    static createFrom(source: any = {}) {
	        return new ProposeRequest(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.serverId = source["serverId"];
	        this.tool = source["tool"];
	        this.argsText = source["argsText"];
	        this.parentId = source["parentId"];
	        this.limitSeconds = source["limitSeconds"];
	    }
	}
	export class ProposeResult {
	    call?: CallView;
	    errors: FieldError[];
	
	    static createFrom(source: any = {}) {
	        return new ProposeResult(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.call = this.convertValues(source["call"], CallView);
	        this.errors = this.convertValues(source["errors"], FieldError);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class QuestionView {
	    id: string;
	    callId: string;
	    serverId: string;
	    serverName: string;
	    toolTitle: string;
	    icon: string;
	    hue: number;
	    mode: string;
	    message: string;
	    schema: string;
	    url: string;
	    host: string;
	    urlWarning: string;
	    problem: string;
	    created: string;
	    round: number;
	    index: number;
	    of: number;
	    otherCalls: number;
	    opened: boolean;
	
	    static createFrom(source: any = {}) {
	        return new QuestionView(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.callId = source["callId"];
	        this.serverId = source["serverId"];
	        this.serverName = source["serverName"];
	        this.toolTitle = source["toolTitle"];
	        this.icon = source["icon"];
	        this.hue = source["hue"];
	        this.mode = source["mode"];
	        this.message = source["message"];
	        this.schema = source["schema"];
	        this.url = source["url"];
	        this.host = source["host"];
	        this.urlWarning = source["urlWarning"];
	        this.problem = source["problem"];
	        this.created = source["created"];
	        this.round = source["round"];
	        this.index = source["index"];
	        this.of = source["of"];
	        this.otherCalls = source["otherCalls"];
	        this.opened = source["opened"];
	    }
	}
	
	export class ReplayItem {
	    call: CallView;
	    args: string;
	    why: string;
	
	    static createFrom(source: any = {}) {
	        return new ReplayItem(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.call = this.convertValues(source["call"], CallView);
	        this.args = source["args"];
	        this.why = source["why"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class ReplayView {
	    done: number;
	    total: number;
	    running: boolean;
	    problem: string;
	    matched: number;
	    rest: number;
	    unusual: ReplayItem[];
	
	    static createFrom(source: any = {}) {
	        return new ReplayView(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.done = source["done"];
	        this.total = source["total"];
	        this.running = source["running"];
	        this.problem = source["problem"];
	        this.matched = source["matched"];
	        this.rest = source["rest"];
	        this.unusual = this.convertValues(source["unusual"], ReplayItem);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	
	export class ReviewedTool {
	    name: string;
	    definition: string;
	
	    static createFrom(source: any = {}) {
	        return new ReviewedTool(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.name = source["name"];
	        this.definition = source["definition"];
	    }
	}
	export class RootView {
	    path: string;
	    fault: string;
	
	    static createFrom(source: any = {}) {
	        return new RootView(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.path = source["path"];
	        this.fault = source["fault"];
	    }
	}
	export class RuleCondition {
	    path: string;
	    op: string;
	    values: string[];
	    text: string;
	    hosts: string[];
	    min: string;
	    max: string;
	
	    static createFrom(source: any = {}) {
	        return new RuleCondition(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.path = source["path"];
	        this.op = source["op"];
	        this.values = source["values"];
	        this.text = source["text"];
	        this.hosts = source["hosts"];
	        this.min = source["min"];
	        this.max = source["max"];
	    }
	}
	export class RuleDraft {
	    id: string;
	    name: string;
	    effect: string;
	    serverId: string;
	    level: string;
	    tool: string;
	    callId: string;
	    origin: string;
	    where: RuleCondition[];
	    anyValue: string[];
	    destructive: boolean;
	    calls: number;
	    minutes: number;
	    untilQuit: boolean;
	
	    static createFrom(source: any = {}) {
	        return new RuleDraft(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.name = source["name"];
	        this.effect = source["effect"];
	        this.serverId = source["serverId"];
	        this.level = source["level"];
	        this.tool = source["tool"];
	        this.callId = source["callId"];
	        this.origin = source["origin"];
	        this.where = this.convertValues(source["where"], RuleCondition);
	        this.anyValue = source["anyValue"];
	        this.destructive = source["destructive"];
	        this.calls = source["calls"];
	        this.minutes = source["minutes"];
	        this.untilQuit = source["untilQuit"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class RulePreview {
	    problem: string;
	    says: string[];
	    tools: string[];
	    waiting: CallView[];
	
	    static createFrom(source: any = {}) {
	        return new RulePreview(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.problem = source["problem"];
	        this.says = source["says"];
	        this.tools = source["tools"];
	        this.waiting = this.convertValues(source["waiting"], CallView);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class RuleView {
	    id: string;
	    name: string;
	    effect: string;
	    serverId: string;
	    serverName: string;
	    tools: string[];
	    says: string[];
	    origin: string;
	    callsLeft: number;
	    secondsLeft: number;
	    untilQuit: boolean;
	    paused: boolean;
	    revoked: boolean;
	    ended: string;
	    stale: string;
	    foreign: boolean;
	    made: string;
	    uses: number;
	    lastUse: string;
	    draft: RuleDraft;
	
	    static createFrom(source: any = {}) {
	        return new RuleView(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.name = source["name"];
	        this.effect = source["effect"];
	        this.serverId = source["serverId"];
	        this.serverName = source["serverName"];
	        this.tools = source["tools"];
	        this.says = source["says"];
	        this.origin = source["origin"];
	        this.callsLeft = source["callsLeft"];
	        this.secondsLeft = source["secondsLeft"];
	        this.untilQuit = source["untilQuit"];
	        this.paused = source["paused"];
	        this.revoked = source["revoked"];
	        this.ended = source["ended"];
	        this.stale = source["stale"];
	        this.foreign = source["foreign"];
	        this.made = source["made"];
	        this.uses = source["uses"];
	        this.lastUse = source["lastUse"];
	        this.draft = this.convertValues(source["draft"], RuleDraft);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class SaveResult {
	    id: string;
	    problems: Problem[];
	
	    static createFrom(source: any = {}) {
	        return new SaveResult(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.problems = this.convertValues(source["problems"], Problem);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class SecretInfo {
	    name: string;
	    stored: boolean;
	    weak: boolean;
	    usedIn: string[];
	
	    static createFrom(source: any = {}) {
	        return new SecretInfo(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.name = source["name"];
	        this.stored = source["stored"];
	        this.weak = source["weak"];
	        this.usedIn = source["usedIn"];
	    }
	}
	export class ServerDraft {
	    id: string;
	    name: string;
	    kind: string;
	    command: string;
	    args: string[];
	    env: Var[];
	    dir: string;
	    url: string;
	    headers: Var[];
	    enabled: boolean;
	    caFile: string;
	    proxy: string;
	    plainHttp: boolean;
	    timeoutSeconds: number;
	    maxSeconds: number;
	    maxResultMiB: number;
	
	    static createFrom(source: any = {}) {
	        return new ServerDraft(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.name = source["name"];
	        this.kind = source["kind"];
	        this.command = source["command"];
	        this.args = source["args"];
	        this.env = this.convertValues(source["env"], Var);
	        this.dir = source["dir"];
	        this.url = source["url"];
	        this.headers = this.convertValues(source["headers"], Var);
	        this.enabled = source["enabled"];
	        this.caFile = source["caFile"];
	        this.proxy = source["proxy"];
	        this.plainHttp = source["plainHttp"];
	        this.timeoutSeconds = source["timeoutSeconds"];
	        this.maxSeconds = source["maxSeconds"];
	        this.maxResultMiB = source["maxResultMiB"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class ServerDetail {
	    server: ServerView;
	    draft: ServerDraft;
	    secrets: SecretInfo[];
	    problems: Problem[];
	    instructions: string;
	    launch: LaunchView;
	    roots: RootView[];
	
	    static createFrom(source: any = {}) {
	        return new ServerDetail(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.server = this.convertValues(source["server"], ServerView);
	        this.draft = this.convertValues(source["draft"], ServerDraft);
	        this.secrets = this.convertValues(source["secrets"], SecretInfo);
	        this.problems = this.convertValues(source["problems"], Problem);
	        this.instructions = source["instructions"];
	        this.launch = this.convertValues(source["launch"], LaunchView);
	        this.roots = this.convertValues(source["roots"], RootView);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	
	
	export class SettingsChange {
	    approvalDeadlineSeconds: number;
	    theme: string;
	
	    static createFrom(source: any = {}) {
	        return new SettingsChange(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.approvalDeadlineSeconds = source["approvalDeadlineSeconds"];
	        this.theme = source["theme"];
	    }
	}
	export class SettingsView {
	    approvalDeadlineSeconds: number;
	    theme: string;
	    dataDir: string;
	    version: string;
	    keyring: KeyringView;
	    headSize: number;
	    headRoot: string;
	
	    static createFrom(source: any = {}) {
	        return new SettingsView(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.approvalDeadlineSeconds = source["approvalDeadlineSeconds"];
	        this.theme = source["theme"];
	        this.dataDir = source["dataDir"];
	        this.version = source["version"];
	        this.keyring = this.convertValues(source["keyring"], KeyringView);
	        this.headSize = source["headSize"];
	        this.headRoot = source["headRoot"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class StartRequest {
	    serverId: string;
	    tool: string;
	    atOnce: number;
	    deadlineSeconds: number;
	
	    static createFrom(source: any = {}) {
	        return new StartRequest(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.serverId = source["serverId"];
	        this.tool = source["tool"];
	        this.atOnce = source["atOnce"];
	        this.deadlineSeconds = source["deadlineSeconds"];
	    }
	}
	
	export class ToolSummary {
	    serverId: string;
	    name: string;
	    title: string;
	    description: string;
	    icon: string;
	    annotations: Annotation[];
	    hidden: string;
	    problem: string;
	    definitionHash: string;
	    change: string;
	
	    static createFrom(source: any = {}) {
	        return new ToolSummary(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.serverId = source["serverId"];
	        this.name = source["name"];
	        this.title = source["title"];
	        this.description = source["description"];
	        this.icon = source["icon"];
	        this.annotations = this.convertValues(source["annotations"], Annotation);
	        this.hidden = source["hidden"];
	        this.problem = source["problem"];
	        this.definitionHash = source["definitionHash"];
	        this.change = source["change"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class ToolDetail {
	    summary: ToolSummary;
	    server: ServerView;
	    freshness: string;
	    received: string;
	    inputSchema: string;
	    outputSchema: string;
	    raw: string;
	    schemaProblem: string;
	    findings: FindingView[];
	    reviewed: string;
	    redefined?: DifferenceView;
	
	    static createFrom(source: any = {}) {
	        return new ToolDetail(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.summary = this.convertValues(source["summary"], ToolSummary);
	        this.server = this.convertValues(source["server"], ServerView);
	        this.freshness = source["freshness"];
	        this.received = source["received"];
	        this.inputSchema = source["inputSchema"];
	        this.outputSchema = source["outputSchema"];
	        this.raw = source["raw"];
	        this.schemaProblem = source["schemaProblem"];
	        this.findings = this.convertValues(source["findings"], FindingView);
	        this.reviewed = source["reviewed"];
	        this.redefined = this.convertValues(source["redefined"], DifferenceView);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class ToolGroup {
	    server: ServerView;
	    freshness: string;
	    received: string;
	    warnings: string[];
	    tools: ToolSummary[];
	    problems: string[];
	
	    static createFrom(source: any = {}) {
	        return new ToolGroup(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.server = this.convertValues(source["server"], ServerView);
	        this.freshness = source["freshness"];
	        this.received = source["received"];
	        this.warnings = source["warnings"];
	        this.tools = this.convertValues(source["tools"], ToolSummary);
	        this.problems = source["problems"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	

}

