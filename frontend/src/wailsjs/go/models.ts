export namespace change {
	
	export enum Kind {
	    Approvals = "approvals",
	    Checkpoints = "checkpoints",
	    Following = "following",
	    Head = "head",
	    Index = "index",
	    Job = "job",
	    Labels = "labels",
	    Library = "library",
	    List = "list",
	    Messages = "messages",
	    Run = "run",
	    Session = "session",
	    Settings = "settings",
	    Statistics = "statistics",
	    Trash = "trash",
	}

}

export namespace config {
	
	export interface AgentEdit {
	    name: string;
	    description: string;
	    extends: string;
	    prompt: string;
	    model: string;
	    mode: string;
	    effort: string;
	    tools: string[];
	    maxSteps: number;
	}
	export interface Contribution {
	    kind: string;
	    name: string;
	    detail: string;
	    source: string;
	}
	export interface ProviderEdit {
	    name: string;
	    protocol: string;
	    baseUrl: string;
	    keyEnv: string;
	}
	export interface ServerEdit {
	    name: string;
	    command: string;
	    args: string[];
	    env: Record<string, string>;
	    cwd: string;
	    url: string;
	    headers: Record<string, string>;
	    disabled: boolean;
	}
	export interface TrustedFolder {
	    path: string;
	    answer: string;
	    missing: boolean;
	}
	export interface WorkspaceTrust {
	    workspace: string;
	    answer: string;
	    listed: boolean;
	    brings: Contribution[];
	    digest: string;
	}

}

export namespace core {
	
	export interface CompactionSettings {
	    strategy?: string;
	    messages?: number;
	    bytes?: number;
	    tokens?: number;
	    turns?: number;
	    windowPercent?: number;
	    keepMessages?: number;
	    keepTurns?: number;
	    model?: string;
	}
	export interface Budget {
	    costNanoUsd?: number;
	    tokens?: number;
	    steps?: number;
	    timeoutMs?: number;
	}
	export interface Agent {
	    name: string;
	    description?: string;
	    prompt: string;
	    model?: string;
	    tools?: string[];
	    mode: string;
	    effort?: string;
	    limits: Budget;
	    delegates?: string[];
	    compaction: CompactionSettings;
	}
	export interface AgentCost {
	    agent: string;
	    model: string;
	    stepCount: number;
	    inputTokens: number;
	    outputTokens: number;
	    costNanoUsd?: number;
	    unpricedSteps: number;
	    estimatedCostNanoUsd?: number;
	    unestimatedSteps: number;
	}
	export interface AgentTurn {
	    agent: string;
	    turn: number;
	    branch: number;
	    parentUid: string;
	    aside: boolean;
	    firstUid: string;
	    lastUid: string;
	    text: string;
	    steps: number;
	    tokens: number;
	    costNanoUsd?: number;
	    startedAtMs: number;
	}
	export interface Approval {
	    id: string;
	    scope: string;
	    sessionId: string;
	    workspacePath: string;
	    tool: string;
	    matcher: string;
	    decision: string;
	    reason: string;
	    createdAtMs: number;
	    unconfirmed?: boolean;
	}
	export interface Backup {
	    path: string;
	    kind: string;
	    createdAtMs: number;
	    sizeBytes: number;
	    verified: boolean;
	}
	
	export interface Cell {
	    day: string;
	    key: string;
	    sessions: number;
	    tokens: number;
	    steps: number;
	    unpriced: number;
	    costNanoUsd?: number;
	    estimatedCostNanoUsd?: number;
	    unestimated: number;
	}
	
	export interface TurnRange {
	    turn: number;
	    from: number;
	    messages: number;
	    label: string;
	    role: string;
	    preview: string;
	}
	export interface Pair {
	    left: TurnRange;
	    right: TurnRange;
	}
	export interface Side {
	    leafUid: string;
	    turn: number;
	    branch: number;
	    length: number;
	    messages: number;
	    turns: number;
	    steps: number;
	    inputTokens: number;
	    outputTokens: number;
	    costNanoUsd?: number;
	    unpriced: number;
	    models: string[];
	    beganAtMs: number;
	    endedAtMs: number;
	}
	export interface Comparison {
	    sessionId: string;
	    shared: number;
	    sharedTurns: number;
	    ancestorUid: string;
	    ancestorTurn: number;
	    left: Side;
	    right: Side;
	    rowCount: number;
	    from: number;
	    rows: Pair[];
	}
	export interface ContextPlan {
	    strategy: string;
	    triggerMessages?: number;
	    triggerBytes?: number;
	    triggerTokens?: number;
	    triggerTurns?: number;
	    triggerPercent?: number;
	    keepMessages?: number;
	    keepTurns?: number;
	    model?: string;
	}
	export interface Facet {
	    value: string;
	    count: number;
	}
	export interface Tag {
	    name: string;
	    color: string;
	    count: number;
	}
	export interface Facets {
	    total: number;
	    pinned: number;
	    archived: number;
	    trash: number;
	    incomplete: number;
	    sources: Facet[];
	    statuses: Facet[];
	    workspaces: Facet[];
	    models: Facet[];
	    labels: Facet[];
	    projects: Facet[];
	    tags: Tag[];
	}
	export interface FieldTest {
	    field: string;
	    is?: string;
	    isNot?: string;
	    contains?: string;
	    exists?: boolean;
	}
	export interface Mark {
	    from: number;
	    to: number;
	}
	export interface Hit {
	    sessionId: string;
	    sessionTitle: string;
	    sessionHits: number;
	    source: string;
	    uid: string;
	    seq: number;
	    turn: number;
	    branch: number;
	    onPath: boolean;
	    hidden?: boolean;
	    role: string;
	    where: string;
	    part: number;
	    snippet: string;
	    marks: Mark[];
	    markFrom: number;
	    markTo: number;
	    createdAtMs: number;
	}
	export interface Found {
	    hits: Hit[];
	    total: number;
	    more: boolean;
	    uncounted: boolean;
	    next: number;
	    looked: number;
	    lookedToMs: number;
	    loose: boolean;
	    pending: number;
	    hint: string;
	}
	export interface GraftSource {
	    sessionId: string;
	    uid: string;
	    path: boolean;
	    below: boolean;
	}
	export interface Grafted {
	    sessionId: string;
	    uid: string;
	    messages: number;
	}
	export interface Group {
	    key: string;
	    sessions: number;
	    messages: number;
	    steps: number;
	    unmetered: number;
	    unpriced: number;
	    inputTokens: number;
	    outputTokens: number;
	    cacheReadTokens: number;
	    cacheWriteTokens: number;
	    reasoningTokens: number;
	    costNanoUsd?: number;
	    estimatedCostNanoUsd?: number;
	    unestimated: number;
	}
	export interface HiddenTop {
	    uid: string;
	    turn: number;
	    branch: number;
	    depth: number;
	    hiddenAtMs: number;
	}
	export interface Hiding {
	    tops: string[];
	    messages: number;
	    turns: number;
	    headUid: string;
	}
	
	export interface SessionHits {
	    sessionId: string;
	    hits: number;
	}
	export interface HitCount {
	    total: number;
	    more: boolean;
	    sessions: SessionHits[];
	}
	export interface UnknownRecords {
	    source: string;
	    type: string;
	    count: number;
	}
	export interface SkippedFile {
	    path: string;
	    reason: string;
	}
	export interface Problem {
	    path: string;
	    line: number;
	    message: string;
	    hint?: string;
	    locked?: boolean;
	}
	export interface Report {
	    imported: number;
	    updated: number;
	    unchanged: number;
	    skipped: number;
	    removed?: number;
	    gone?: number;
	    back?: number;
	    sessions: string[];
	    problems: Problem[];
	    skippedFiles?: SkippedFile[];
	    unknownRecords?: UnknownRecords[];
	}
	export interface LastImport {
	    atMs: number;
	    report: Report;
	    sessionCount: number;
	    problemCount: number;
	}
	export interface Session {
	    id: string;
	    name: string;
	    title: string;
	    titleOrigin?: string;
	    task: string;
	    source: string;
	    sourceId: string;
	    sourcePath: string;
	    sourceGoneAtMs?: number;
	    status: string;
	    stopReason: string;
	    agent: string;
	    model: string;
	    workspacePath: string;
	    filesModified: string[];
	    touchedCount?: number;
	    linesAdded?: number;
	    linesRemoved?: number;
	    tags?: string[];
	    project?: string;
	    lastAnswer?: string;
	    failedCount?: number;
	    parentId: string;
	    parentUid: string;
	    relation: string;
	    headUid: string;
	    mainUid?: string;
	    hiddenCount?: number;
	    messageCount: number;
	    branchCount: number;
	    turnCount: number;
	    stepCount: number;
	    inputTokens: number;
	    outputTokens: number;
	    cacheReadTokens: number;
	    cacheWriteTokens: number;
	    reasoningTokens: number;
	    costNanoUsd?: number;
	    estimatedCostNanoUsd?: number;
	    unpricedCalls: number;
	    pinnedAtMs: number;
	    archivedAtMs: number;
	    deletedAtMs: number;
	    createdAtMs: number;
	    updatedAtMs: number;
	    incompleteStart?: boolean;
	}
	export interface Home {
	    recent: Session[];
	    unfinished: Session[];
	    forked: Session[];
	    expensive: Session[];
	    week: Group;
	    weekFromMs: number;
	    lastImport?: LastImport;
	    imported: Session[];
	}
	export interface InactiveTool {
	    name: string;
	    reason: string;
	}
	export interface Job {
	    sessionId: string;
	    parentId: string;
	    agent: string;
	    title: string;
	    status: string;
	    stopReason: string;
	    steps: number;
	    tokens: number;
	    costNanoUsd?: number;
	    startedAtMs: number;
	    endedAtMs: number;
	}
	
	export interface Link {
	    way: string;
	    uid: string;
	    turn: number;
	    sessionId: string;
	    title: string;
	    otherUid: string;
	    otherTurn: number;
	    state: string;
	}
	
	export interface ModelCost {
	    model: string;
	    stepCount: number;
	    inputTokens: number;
	    outputTokens: number;
	    costNanoUsd?: number;
	    unpricedSteps: number;
	    estimatedCostNanoUsd?: number;
	    unestimatedSteps: number;
	}
	export interface ModelInfo {
	    provider: string;
	    id: string;
	    name: string;
	    contextTokens: number;
	    maxOutputTokens: number;
	    images: boolean;
	    tools: boolean;
	    reasoning: boolean;
	    local: boolean;
	    inputNanoUsdPerMillion?: number;
	    outputNanoUsdPerMillion?: number;
	}
	export interface Owner {
	    pid: number;
	    started: string;
	    host: string;
	}
	
	export interface PathHit {
	    uid: string;
	    depth: number;
	    part: number;
	    snippet: string;
	    markFrom: number;
	    markTo: number;
	}
	export interface PathHits {
	    hits: PathHit[];
	    more: boolean;
	    elsewhere: number;
	}
	
	export interface Progress {
	    done: number;
	    total: number;
	    doneBytes: number;
	    totalBytes: number;
	    current: string;
	}
	export interface RecoveredSession {
	    id: string;
	    title: string;
	    expected: number;
	    saved: number;
	    shortened: number;
	    changed: number;
	    newRoots: number;
	}
	export interface Recovery {
	    path: string;
	    output: string;
	    pages: number;
	    damaged: string[];
	    damages: number;
	    messages: number;
	    sessions: RecoveredSession[];
	    contents: number;
	    missing: number;
	    unplaced: number;
	    problems: string[];
	    expected: number;
	    wholeSessions: number;
	}
	export interface Remedy {
	    Kind: string;
	    Args: string[];
	}
	
	export interface RequestForm {
	    context?: string;
	    summaryUpToUid?: string;
	    closing?: boolean;
	    answer?: boolean;
	    noSchema?: boolean;
	}
	export interface Run {
	    id: string;
	    sessionId: string;
	    lane: number;
	    agent: string;
	    model: string;
	    baseUrl: string;
	    mode: string;
	    workspacePath: string;
	    budget: Budget;
	    owner: Owner;
	    status: string;
	    stopReason: string;
	    error: string;
	    stepCount: number;
	    inputTokens: number;
	    outputTokens: number;
	    costNanoUsd: number;
	    unpricedSteps: number;
	    usedSteps?: number;
	    usedMs?: number;
	    startedAtMs: number;
	    endedAtMs: number;
	    imported?: boolean;
	}
	export interface TeamMember {
	    name: string;
	    model: string;
	    baseUrl?: string;
	    mode: string;
	    effort?: string;
	}
	export interface TeamMove {
	    agent?: string;
	    node?: string;
	    phase?: string;
	    note?: string;
	    edge?: number;
	    parts?: string[];
	    gates?: TeamGate[];
	    end?: string;
	    why?: string;
	}
	export interface TeamState {
	    agent?: string;
	    node?: string;
	    phase?: string;
	    note?: string;
	    edge?: number;
	    parts?: string[];
	    gates?: TeamGate[];
	    end?: string;
	    why?: string;
	    startUid?: string;
	    turns?: number;
	    done?: string[];
	    visits?: Record<string, number>;
	    round?: number;
	    stage?: number;
	    failures?: number;
	    plan?: string;
	    stalls?: number;
	    resets?: number;
	    held?: TeamMove;
	    unmet?: string;
	    cites?: string[];
	}
	export interface TeamCondition {
	    any?: TeamCondition[];
	    all?: TeamCondition[];
	    pattern?: string;
	    agents?: string[];
	    field?: FieldTest;
	    judge?: string;
	    question?: string;
	    maxTurns?: number;
	    maxTokens?: number;
	    maxCostNanoUsd?: number;
	    maxMs?: number;
	}
	export interface TeamStage {
	    author: string;
	    critic: string;
	}
	export interface TeamEdge {
	    to: string;
	    signal?: string;
	    when?: FieldTest;
	    gates?: TeamGate[];
	    maxRevisits?: number;
	    targets?: string[];
	    join?: string;
	    judge?: string;
	    mapper?: string;
	    items?: string;
	}
	export interface TeamNode {
	    name: string;
	    agent?: string;
	    after?: string[];
	    transitions?: TeamEdge[];
	    terminal?: boolean;
	    gates?: TeamGate[];
	    targets?: string[];
	    join?: string;
	    judge?: string;
	}
	export interface TeamGate {
	    wrote?: string;
	    passed?: string;
	    command?: string;
	    approve?: string;
	    exists?: string;
	    wroteListed?: string;
	    passedListed?: string;
	    report?: string;
	    judged?: string;
	    fields?: string[];
	    orPassed?: string;
	    session?: boolean;
	    brief?: string;
	    checks?: string[];
	    assertions?: string[];
	}
	export interface TeamRoute {
	    signal?: string;
	    when?: FieldTest;
	    from?: string[];
	    to?: string;
	    gates?: TeamGate[];
	}
	export interface TeamSelection {
	    strategy: string;
	    start?: string;
	    routes?: TeamRoute[];
	    states?: TeamNode[];
	    manager?: string;
	    repeat?: boolean;
	    author?: string;
	    critic?: string;
	    stages?: TeamStage[];
	    approval?: string;
	    branches?: string[];
	    join?: string;
	    judge?: string;
	    splitter?: string;
	    mapper?: string;
	    reducer?: string;
	    items?: string;
	    rounds?: number;
	    stalls?: number;
	    resets?: number;
	    review?: boolean;
	}
	export interface TeamAgent {
	    name: string;
	    description?: string;
	    prompt: string;
	    model?: string;
	    tools?: string[];
	    mode: string;
	    effort?: string;
	    limits: Budget;
	    delegates?: string[];
	    compaction: CompactionSettings;
	    view?: string;
	    skipped?: boolean;
	}
	export interface Team {
	    name?: string;
	    description?: string;
	    agents: TeamAgent[];
	    selection: TeamSelection;
	    termination?: TeamCondition;
	    endGates?: TeamGate[];
	    limits: Budget;
	}
	export interface TeamRun {
	    definition: Team;
	    state: TeamState;
	    members: TeamMember[];
	}
	export interface ToolSpec {
	    name: string;
	    description: string;
	    parameters: number[];
	}
	export interface RunState {
	    agent: Agent;
	    model: string;
	    contextTokens?: number;
	    baseUrl?: string;
	    effort?: string;
	    mode: string;
	    limits: Budget;
	    workspacePath: string;
	    system: string;
	    tools: ToolSpec[];
	    servers?: string[];
	    inactiveTools?: InactiveTool[];
	    approvals?: Approval[];
	    context: ContextPlan;
	    form: RequestForm;
	    team?: TeamRun;
	    outputSchema?: number[];
	}
	export interface SearchQuery {
	    text: string;
	    substring: boolean;
	    regex: boolean;
	    filter: string;
	    sessionId: string;
	    fromId: string;
	    order: string;
	    typing: boolean;
	    limit: number;
	    before: number;
	    withinMs: number;
	}
	export interface SecretPlace {
	    sessionId: string;
	    title: string;
	    uid: string;
	    seq: number;
	    node: number;
	    count: number;
	}
	export interface Secret {
	    id: string;
	    count: number;
	    sessions: number;
	    places: SecretPlace[];
	}
	
	
	export interface SessionFilter {
	    query: string;
	    sources: string[];
	    statuses: string[];
	    workspace: string;
	    project: string;
	    branched: boolean;
	    errors: boolean;
	    model: string;
	    label: string;
	    tag: string;
	    parentId: string;
	    children: boolean;
	    incomplete: boolean;
	    pinned: boolean;
	    archived: boolean;
	    trash: boolean;
	    sort: string;
	    pinnedFirst: boolean;
	    limit: number;
	    offset: number;
	    activeFromMs: number;
	    activeBeforeMs: number;
	}
	
	export interface Sibling {
	    uid: string;
	    seq: number;
	    turn: number;
	    branch: number;
	    role: string;
	    model: string;
	    preview: string;
	    messages: number;
	    createdAtMs: number;
	}
	
	
	export interface ToolUse {
	    name: string;
	    calls: number;
	    sessions: number;
	}
	export interface Statistics {
	    zone: string;
	    total: Group;
	    toolCalls: number;
	    days: Group[];
	    cells: Cell[];
	    models: Group[];
	    agents: Group[];
	    workspaces: Group[];
	    sources: Group[];
	    tools: ToolUse[];
	    calendar: Cell[];
	    pending: number;
	}
	export interface StatisticsQuery {
	    since: string;
	    until: string;
	    sources: string[];
	    workspace: string;
	    model: string;
	    split: string;
	}
	export interface Stats {
	    path: string;
	    sizeBytes: number;
	    schemaVersion: number;
	    sessions: number;
	    messages: number;
	    branches: number;
	    blobs: number;
	    blobBytes: number;
	    trashSessions: number;
	}
	
	
	
	
	
	
	
	
	
	
	
	
	
	
	
	
	export interface Turn {
	    node: number;
	    parent: number;
	    label: string;
	    messages: number;
	    cumulative: number;
	    branch: number;
	    firstDepth: number;
	    onPath: boolean;
	    hidden?: boolean;
	    firstUid: string;
	    lastUid: string;
	    role: string;
	    preview: string;
	    model?: string;
	    answer?: string;
	    createdAtMs: number;
	    authors?: string;
	}
	export interface TurnEffort {
	    node: number;
	    firstDepth: number;
	    messages: number;
	    steps: number;
	    workedMs: number;
	    endedAtMs: number;
	}
	export interface TurnPart {
	    turn: number;
	    from: number;
	    to: number;
	}
	

}

export namespace diff {
	
	export interface Span {
	    text: string;
	    changed: boolean;
	}

}

export namespace engine {
	
	export interface Wake {
	    ID: string;
	    Reason: string;
	}

}

export namespace hand {
	
	export interface Handed {
	    path: string;
	    id: string;
	    command: string;
	    folder: string;
	    tool: string;
	    reason: string;
	}

}

export namespace job {
	
	export interface Job {
	    id: string;
	    kind: string;
	    progress: core.Progress;
	    done: boolean;
	    canceled: boolean;
	    error: string;
	    hint: string;
	    report: core.Report;
	    path: string;
	    startedAtMs: number;
	    recovery?: core.Recovery;
	}

}

export namespace launch {
	
	export interface AgentInfo {
	    name: string;
	    description: string;
	    mode: string;
	    model: string;
	}
	export interface CommandInfo {
	    name: string;
	    takes: string;
	    description: string;
	}
	export interface ProviderState {
	    provider: string;
	    message: string;
	    hint: string;
	}
	export interface TeamAgentInfo {
	    name: string;
	    description: string;
	    model: string;
	    mode: string;
	    skipped: boolean;
	}
	export interface TeamInfo {
	    ref: string;
	    name: string;
	    description: string;
	    strategy: string;
	    agents: TeamAgentInfo[];
	    source: string;
	    problem: string;
	}
	export interface ComposerOptions {
	    models: core.ModelInfo[];
	    agents: AgentInfo[];
	    teams: TeamInfo[];
	    commands: CommandInfo[];
	    model: string;
	    agent: string;
	    mode: string;
	    effort: string;
	    budgetUsd: string;
	    maxSteps: number;
	    workspace: string;
	    problems: ProviderState[];
	    sandbox: string;
	    trust: config.WorkspaceTrust;
	}
	export interface Confirmation {
	    token: string;
	    text: string;
	    action: string;
	}
	
	export interface Upload {
	    name: string;
	    mimeType: string;
	    base64: string;
	}
	export interface RunRequest {
	    sessionId: string;
	    fromUid: string;
	    root: boolean;
	    text: string;
	    images: Upload[];
	    cites: string[];
	    model: string;
	    agent: string;
	    team?: string;
	    agentModels?: Record<string, string>;
	    teamChanges?: string[];
	    mode: string;
	    effort: string;
	    workspace: string;
	    budgetUsd: string;
	    maxSteps: number;
	    maxTokens: number;
	    timeoutMs: number;
	    unlimited?: string[];
	    baseUrl: string;
	    confirmed: string[];
	    name: string;
	    takeOver: boolean;
	    compaction: string;
	    focus?: string;
	    review: boolean;
	    aside: boolean;
	    hibernateAfterMs?: number;
	    summary: boolean;
	}
	
	

}

export namespace live {
	
	export interface Answer {
	    allow: boolean;
	    scope: string;
	    wide: boolean;
	    text: string;
	    cites: string[];
	}
	export interface Call {
	    callId: string;
	    name: string;
	    running: boolean;
	    failed: boolean;
	    startedAtMs: number;
	    output: string;
	}
	export interface Lane {
	    runId: string;
	    number: number;
	    model: string;
	    running: boolean;
	    waits: boolean;
	    status: string;
	    fromUid: string;
	    topUid: string;
	    tipUid: string;
	}
	export interface Question {
	    id: number;
	    kind: string;
	    callId: string;
	    toolName: string;
	    title: string;
	    preview: string;
	    risk: string;
	    targets: string[];
	    wider: string[];
	    inWorkspace: boolean;
	    sandbox: string;
	}
	export interface Started {
	    sessionId: string;
	    runId: string;
	    problem: string;
	}
	export interface State {
	    sessionId: string;
	    running: boolean;
	    run: core.Run;
	    lastUid: string;
	    draftId: number;
	    revision: number;
	    blocks: render.LiveBlock[];
	    calls: Call[];
	    questions: Question[];
	    notices: string[];
	    working: string[];
	    turn: string;
	    retry: string;
	    queue: string[];
	    error: string;
	    errorCode: string;
	    hint: string;
	    lanes: Lane[];
	}

}

export namespace original {
	
	export interface Command {
	    tool: string;
	    args: string[];
	    folder: string;
	    text: string;
	    reason: string;
	}

}

export namespace provider {
	
	export interface Service {
	    name: string;
	    kind: string;
	    protocol: string;
	    baseUrl: string;
	    moved: boolean;
	    variables: string[];
	    needsKey: boolean;
	    keyFrom: string;
	}

}

export namespace render {
	
	export interface WebPage {
	    title: string;
	    url: string;
	}
	export interface Task {
	    text: string;
	    state: string;
	}
	export interface DiffLine {
	    op: string;
	    oldLine: number;
	    newLine: number;
	    text: string;
	    html: string;
	}
	export interface Hunk {
	    lines: DiffLine[];
	}
	export interface FileDiff {
	    path: string;
	    added: number;
	    removed: number;
	    created: boolean;
	    omitted: number;
	    hunks: Hunk[];
	}
	export interface Preview {
	    kind: string;
	    diffs?: FileDiff[];
	    text?: string;
	    above?: number;
	    below?: number;
	    exitCode?: number;
	    tasks?: Task[];
	    pages?: WebPage[];
	    omitted?: number;
	    html?: string;
	    cut?: boolean;
	    steps?: number;
	    tokens?: number;
	    status?: string;
	    costNanoUsd?: number;
	}
	export interface Block {
	    type: string;
	    part: number;
	    html: string;
	    text: string;
	    chars: number;
	    lines: number;
	    sizeBytes: number;
	    cut: boolean;
	    shown: boolean;
	    blob: string;
	    callId: string;
	    toolName: string;
	    target: string;
	    added: number;
	    removed: number;
	    state: string;
	    durationMs: number;
	    readOnly: boolean;
	    childId: string;
	    resultUid: string;
	    preview?: Preview;
	    images?: Block[];
	    mimeType: string;
	    name: string;
	    width: number;
	    height: number;
	}
	export interface CompactionView {
	    firstKept: string;
	    coveredMessages: number;
	    messagesBefore: number;
	    messagesAfter: number;
	    tokensBefore: number;
	    tokensAfter: number;
	    strategy: string;
	    focus: string;
	}
	export interface MessageView {
	    uid: string;
	    seq: number;
	    turn: number;
	    branch: number;
	    depth: number;
	    parentUid: string;
	    siblings: number;
	    siblingIndex: number;
	    role: string;
	    kind: string;
	    name: string;
	    agent: string;
	    model: string;
	    inputTokens: number;
	    outputTokens: number;
	    costNanoUsd?: number;
	    estimatedCostNanoUsd?: number;
	    isEstimated: boolean;
	    finishReason: string;
	    error: string;
	    label: string;
	    turnStart: boolean;
	    hidden: boolean;
	    cites: string[];
	    createdAtMs: number;
	    blocks: Block[];
	    compaction?: CompactionView;
	}
	export interface CallsPage {
	    total: number;
	    messages: MessageView[];
	}
	export interface Commit {
	    hash: string;
	    subject: string;
	}
	
	
	export interface Effect {
	    added: number;
	    removed: number;
	    changes: number;
	    created: boolean;
	    deleted: boolean;
	}
	export interface Field {
	    name: string;
	    value: string;
	    html: string;
	    long: boolean;
	    list: boolean;
	    cut: boolean;
	}
	export interface FileComparison {
	    path: string;
	    known: boolean;
	    between: FileDiff;
	    left: FileDiff[];
	    right: FileDiff[];
	}
	
	export interface FileEffect {
	    path: string;
	    left: Effect;
	    right: Effect;
	    same: boolean;
	    known: boolean;
	}
	export interface FileEffects {
	    files: FileEffect[];
	    omitted: number;
	}
	
	export interface LiveBlock {
	    index: number;
	    revision: number;
	    type: string;
	    html: string;
	    text: string;
	    toolName: string;
	}
	
	export interface PathRange {
	    leafUid: string;
	    from: number;
	    messages: number;
	}
	export interface WorkItem {
	    text: string;
	    calls: number;
	    failed: number;
	    added: number;
	    removed: number;
	}
	export interface Phase {
	    kind: string;
	    workedMs: number;
	    calls: number;
	    searches: number;
	    failed: number;
	    items: WorkItem[];
	    omitted: number;
	}
	
	export interface Span {
	    from: number;
	    count: number;
	}
	
	export interface ToolDetail {
	    arguments: Field[];
	    diffs: FileDiff[];
	    result: Block[];
	    structured: Field;
	}
	export interface TurnDigest {
	    from: number;
	    count: number;
	    prompt?: MessageView;
	    answer?: MessageView;
	    hasWork: boolean;
	}
	
	export interface WindowView {
	    leafUid: string;
	    length: number;
	    from: number;
	    messages: MessageView[];
	}
	export interface WordDiff {
	    left: diff.Span[];
	    right: diff.Span[];
	    same: number;
	    cut: boolean;
	}
	export interface Work {
	    workedMs: number;
	    steps: number;
	    calls: number;
	    files: number;
	    added: number;
	    removed: number;
	    failed: number;
	    denied: number;
	    interrupted: number;
	    failedMs: number;
	    compactions: number;
	    commits: Commit[];
	    phases: Phase[];
	    partial: boolean;
	}

}

export namespace texts {
	
	export interface Texts {
	    chooseFolder: string;
	    chooseWatchFile: string;
	    chooseWatchPlace: string;
	    chooseForPage: string;
	    importFiles: string;
	    importFolder: string;
	    export: string;
	    exportStatistics: string;
	    backUp: string;
	    sessions: string;
	    images: string;
	    allFiles: string;
	    open: string;
	    save: string;
	    cancel: string;
	    closeTitle: string;
	    closeOne: string;
	    closeSeveral: string;
	    stopAndClose: string;
	    keepRunning: string;
	    runWaits: string;
	    runDone: string;
	    runStopped: string;
	    runFailed: string;
	    runInterrupted: string;
	    runHibernated: string;
	    couldNotWake: string;
	    menu: Record<string, string>;
	}

}

export namespace window {
	
	export interface About {
	    version: string;
	    stats: core.Stats;
	}
	export interface AgentView {
	    name: string;
	    description: string;
	    model: string;
	    mode: string;
	    tools: string[];
	    source: string;
	    own: boolean;
	    edit: config.AgentEdit;
	}
	export interface Answer {
	    uid: string;
	    turn: number;
	    text: string;
	    cut: boolean;
	}
	export interface CheckpointView {
	    id: string;
	    name: string;
	    node: string;
	    uid: string;
	    turn: number;
	    createdAtMs: number;
	    agent: string;
	    model: string;
	    baseUrl: string;
	    effort: string;
	    mode: string;
	    damaged: boolean;
	}
	export interface CheckpointPage {
	    checkpoints: CheckpointView[];
	    more: boolean;
	}
	
	export interface Defaults {
	    path: string;
	    problems: string[];
	    model: string;
	    agent: string;
	    mode: string;
	}
	export interface ExportBranch {
	    leafUid: string;
	    node: number;
	    title: string;
	    messages: number;
	    onPath: boolean;
	}
	export interface ExportTurn {
	    uid: string;
	    node: number;
	    title: string;
	    messages: number;
	}
	export interface ExportParts {
	    pathMessages: number;
	    turnNode: number;
	    turnMessages: number;
	    turns: ExportTurn[];
	    branches: ExportBranch[];
	    branchCount: number;
	}
	export interface ExportRequest {
	    sessionIds: string[];
	    all: boolean;
	    format: string;
	    scope: string;
	    detail: string;
	    leafUids: string[];
	    fromUid: string;
	    withJson: boolean;
	    words: string[];
	    keep: string[];
	    redact: boolean;
	    theme: string;
	    passphrase: string;
	}
	
	export interface Followed {
	    paths: string[];
	    chosen: boolean;
	    missing: string[];
	    trouble: string;
	    progress: core.Progress;
	}
	export interface FoundSource {
	    source: string;
	    path: string;
	    files: number;
	    sizeBytes: number;
	}
	export interface HandRequest {
	    sessionId: string;
	    leafUid: string;
	    to: string;
	    redact: boolean;
	    worktree: boolean;
	}
	export interface LibraryState {
	    path: string;
	    state: string;
	    message: string;
	    damage: string[];
	    backups: core.Backup[];
	    dailyBackups: boolean;
	    encrypted: boolean;
	    inKeyring: boolean;
	}
	export interface Location {
	    sessionId: string;
	    leafUid: string;
	    uid: string;
	    depth: number;
	    turn: number;
	    branch: number;
	    leafTurn: number;
	    agent: string;
	}
	export interface LocationRisk {
	    syncedBy: string;
	    folder: string;
	    network: string;
	}
	export interface MirrorSetting {
	    folder: string;
	    format: string;
	    redact: boolean;
	    error: string;
	}
	export interface PathTurns {
	    length: number;
	    steps: number[];
	    counts: number[];
	}
	export interface Prompt {
	    uid: string;
	    parentUid: string;
	    turn: number;
	    text: string;
	    images: launch.Upload[];
	}
	export interface Providers {
	    services: provider.Service[];
	    keyring: string;
	}
	export interface RedactedPlace {
	    before: string;
	    after: string;
	}
	export interface Redacted {
	    id: string;
	    kind: string;
	    value: string;
	    count: number;
	    places: RedactedPlace[];
	}
	
	export interface SecretList {
	    secrets: core.Secret[];
	    total: number;
	    waiting: number;
	}
	export interface SentTool {
	    name: string;
	    description: string;
	}
	export interface SentFile {
	    path: string;
	    cut: boolean;
	}
	export interface Sending {
	    model: string;
	    windowTokens: number;
	    tokens: number;
	    counted: boolean;
	    agent: string;
	    system: string;
	    systemTokens: number;
	    files: SentFile[];
	    tools: SentTool[];
	    toolTokens: number;
	    mode: string;
	    hidden: number;
	    messages: number;
	    turns: number;
	    firstTurn: number;
	    lastTurn: number;
	    pathTokens: number;
	    images: number;
	    promptTokens: number;
	    notices: string[];
	    sentAtMs: number;
	}
	
	
	export interface SessionPage {
	    sessions: core.Session[];
	    total: number;
	}
	export interface Settings {
	    theme: string;
	    zoomPercent: number;
	    language?: string;
	    hibernateAfterMinutes?: number;
	    highContrast?: boolean;
	    readingFontPx?: number;
	    readingWidth?: string;
	    muteQuestions?: boolean;
	    muteEnds?: boolean;
	    autoLockMinutes: number;
	}
	export interface TestResult {
	    ok: boolean;
	    message: string;
	    hint: string;
	    names: string[];
	    tookMs: number;
	}
	export interface TitleEstimate {
	    sessions: number;
	    own: number;
	    tokens: number;
	    costNanoUsd?: number;
	}
	export interface TitlesWritten {
	    written: number;
	    failed: number;
	    error: string;
	    costNanoUsd?: number;
	}
	export interface UnsentMessage {
	    uid: string;
	    sessionId: string;
	    text: string;
	    cites: string[];
	}
	export interface WakeRequest {
	    at: string;
	    path: string;
	    sessionId: string;
	}
	export interface WakeView {
	    kind: string;
	    atMs: number;
	    path: string;
	    title: string;
	    detail: string;
	    active: boolean;
	}

}

