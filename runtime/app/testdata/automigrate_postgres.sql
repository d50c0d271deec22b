-- What gorm's AutoMigrate made of the engine's tables, until plans took its place.
CREATE TABLE sl_audit (
    id character varying(36) NOT NULL,
    at timestamp with time zone NOT NULL,
    kind character varying(30) NOT NULL,
    actor character varying(36) NOT NULL,
    name text NOT NULL,
    address character varying(64) NOT NULL,
    subject character varying(200) NOT NULL,
    about text NOT NULL,
    failed boolean NOT NULL,
    detail text NOT NULL
);
CREATE TABLE sl_batch (
    id character varying(36) NOT NULL,
    model text NOT NULL,
    property text NOT NULL,
    value text NOT NULL,
    user_id character varying(36) NOT NULL,
    user_name text NOT NULL,
    at timestamp with time zone NOT NULL,
    total bigint NOT NULL,
    success bigint NOT NULL,
    failed bigint NOT NULL,
    changes bigint NOT NULL,
    undone bigint NOT NULL,
    undone_at timestamp with time zone
);
CREATE TABLE sl_batch_change (
    batch character varying(36) NOT NULL,
    sequence bigint NOT NULL,
    record character varying(36) NOT NULL,
    before text NOT NULL,
    undone boolean NOT NULL
);
CREATE TABLE sl_change (
    xid xid8 DEFAULT pg_current_xact_id() NOT NULL,
    tbl text NOT NULL COLLATE pg_catalog."C",
    node text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE sl_changeset (
    version bigint NOT NULL,
    author character varying(36) NOT NULL,
    at timestamp with time zone NOT NULL,
    note text NOT NULL
);
CREATE TABLE sl_channel_choice (
    person character varying(36) NOT NULL,
    locale character varying(10) NOT NULL,
    groups text NOT NULL
);
CREATE TABLE sl_channel_type (
    type bigint NOT NULL,
    mail boolean NOT NULL,
    webhook boolean NOT NULL
);
CREATE TABLE sl_comment (
    id character varying(36) NOT NULL,
    model character varying(63) NOT NULL,
    record character varying(36) NOT NULL,
    author character varying(36) NOT NULL,
    text text NOT NULL,
    mentions text NOT NULL,
    reply_to character varying(36) NOT NULL,
    revision bigint NOT NULL,
    created_at timestamp with time zone NOT NULL,
    edited_at timestamp with time zone,
    deleted boolean NOT NULL,
    token character varying(64),
    request character varying(64) NOT NULL
);
CREATE TABLE sl_comment_file (
    comment_id character varying(36) NOT NULL,
    "position" bigint NOT NULL,
    file_id character varying(36) NOT NULL
);
CREATE TABLE sl_credential (
    user_id character varying(36) NOT NULL,
    hash text,
    version bigint,
    must_reset boolean,
    own boolean,
    last_login timestamp with time zone,
    last_from character varying(64),
    before_login timestamp with time zone,
    before_from character varying(64),
    changed_at timestamp with time zone
);
CREATE TABLE sl_delivery (
    id character varying(36) NOT NULL,
    message character varying(36) NOT NULL,
    channel character varying(10) NOT NULL,
    recipient character varying(36) NOT NULL,
    type bigint NOT NULL,
    state character varying(10) NOT NULL,
    attempts bigint NOT NULL,
    next_at timestamp with time zone NOT NULL,
    give_up_at timestamp with time zone NOT NULL,
    error text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    done_at timestamp with time zone
);
CREATE TABLE sl_document (
    pack character varying(63) NOT NULL,
    path character varying(200) NOT NULL,
    version bigint NOT NULL,
    text text,
    base text
);
CREATE TABLE sl_document_draft (
    owner character varying(36) NOT NULL,
    pack character varying(63) NOT NULL,
    path character varying(200) NOT NULL,
    text text NOT NULL,
    seen character varying(64) NOT NULL,
    at timestamp with time zone NOT NULL
);
CREATE TABLE sl_draft (
    id character varying(36) NOT NULL,
    user_id character varying(36) NOT NULL,
    model text NOT NULL,
    form text NOT NULL,
    workflow text DEFAULT ''::text NOT NULL,
    title text NOT NULL,
    folded text NOT NULL,
    data text NOT NULL,
    types text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    modified_at timestamp with time zone NOT NULL
);
CREATE TABLE sl_dropped_property (
    model text NOT NULL,
    property text NOT NULL,
    at bigint NOT NULL
);
CREATE TABLE sl_edit_lock (
    portal character varying(63) NOT NULL,
    owner character varying(36) NOT NULL,
    until timestamp with time zone NOT NULL
);
CREATE TABLE sl_export (
    id character varying(36) NOT NULL,
    owner character varying(36) NOT NULL,
    job_id character varying(36) NOT NULL,
    kind character varying(32) DEFAULT 'export'::character varying NOT NULL,
    model character varying(63) NOT NULL,
    list character varying(63) NOT NULL,
    name text NOT NULL,
    columns text NOT NULL,
    state character varying(12) NOT NULL,
    file character varying(36) DEFAULT ''::character varying NOT NULL,
    size bigint DEFAULT 0 NOT NULL,
    rows bigint DEFAULT 0 NOT NULL,
    skipped bigint DEFAULT 0 NOT NULL,
    missing text DEFAULT ''::text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone
);
CREATE TABLE sl_export_choice (
    owner character varying(36) NOT NULL,
    list character varying(63) NOT NULL,
    id character varying(36) NOT NULL,
    columns text NOT NULL,
    updated_at timestamp with time zone
);
CREATE TABLE sl_factor (
    user_id character varying(36) NOT NULL,
    sealed bytea,
    step bigint,
    created_at timestamp with time zone
);
CREATE TABLE sl_file (
    id character varying(36) NOT NULL,
    name text,
    mime text,
    size bigint,
    created_by character varying(36),
    created_at timestamp with time zone,
    held boolean DEFAULT false NOT NULL,
    model text DEFAULT ''::text NOT NULL,
    field text DEFAULT ''::text NOT NULL
);
CREATE TABLE sl_file_pause (
    id character varying(36) NOT NULL,
    until timestamp with time zone NOT NULL
);
CREATE TABLE sl_guess (
    key character varying(64) NOT NULL,
    empty_at timestamp with time zone,
    free_at timestamp with time zone,
    proven_at timestamp with time zone,
    keep_until timestamp with time zone
);
CREATE TABLE sl_history (
    id character varying(36) NOT NULL,
    model text NOT NULL,
    record character varying(36) NOT NULL,
    version bigint NOT NULL,
    kind text NOT NULL,
    user_id text NOT NULL,
    name text NOT NULL,
    dept text NOT NULL,
    at timestamp with time zone NOT NULL,
    changes text NOT NULL
);
CREATE TABLE sl_idempotency (
    key character varying(64) NOT NULL,
    request character varying(64) NOT NULL,
    record text NOT NULL,
    version bigint NOT NULL,
    answer bytea,
    at timestamp with time zone NOT NULL
);
CREATE TABLE sl_identity (
    id character varying(36) NOT NULL,
    issuer character varying(300),
    subject character varying(255),
    user_id character varying(36),
    provider character varying(31),
    label character varying(200),
    created_at timestamp with time zone,
    used_at timestamp with time zone
);
CREATE TABLE sl_import (
    id character varying(36) NOT NULL,
    model text NOT NULL,
    list text NOT NULL,
    user_id character varying(36) NOT NULL,
    user_name text NOT NULL,
    at timestamp with time zone NOT NULL,
    ended timestamp with time zone,
    phase text NOT NULL,
    job_id character varying(36) NOT NULL,
    file_id character varying(36) NOT NULL,
    file_name text NOT NULL,
    sheet bigint NOT NULL,
    key_field text NOT NULL,
    mode text NOT NULL,
    clear boolean NOT NULL,
    locale text NOT NULL,
    head text NOT NULL,
    added bigint NOT NULL,
    changed bigint NOT NULL,
    same bigint NOT NULL,
    failed bigint NOT NULL,
    skipped bigint NOT NULL,
    undone bigint NOT NULL,
    kept bigint NOT NULL,
    reason bigint NOT NULL,
    args text NOT NULL,
    rows bigint NOT NULL
);
CREATE TABLE sl_import_record (
    import_id character varying(36) NOT NULL,
    sequence bigint NOT NULL,
    record character varying(36) NOT NULL,
    number bigint NOT NULL,
    version bigint NOT NULL,
    undone boolean NOT NULL
);
CREATE TABLE sl_import_row (
    import_id character varying(36) NOT NULL,
    number bigint NOT NULL,
    kind text NOT NULL,
    record character varying(36) NOT NULL,
    name text NOT NULL,
    content text NOT NULL,
    errors text NOT NULL
);
CREATE TABLE sl_job (
    id character varying(36) NOT NULL,
    kind character varying(60),
    state character varying(10),
    owner character varying(36),
    title_zh text,
    title_en text,
    subject character varying(200),
    payload text,
    progress text,
    done bigint,
    total bigint,
    results bigint,
    result text,
    unique_key text,
    live_key character varying(300),
    failures bigint,
    max_attempts bigint,
    stalls bigint,
    error_code bigint,
    error_args text,
    error text,
    cancel boolean,
    fence bigint,
    beat bigint,
    node character varying(40),
    carrier bigint,
    run_at timestamp with time zone,
    created_at timestamp with time zone,
    started_at timestamp with time zone,
    finished_at timestamp with time zone
);
CREATE TABLE sl_job_result (
    job_id character varying(36) NOT NULL,
    sequence bigint NOT NULL,
    record_id character varying(36),
    name text,
    ok boolean,
    field text,
    code bigint,
    args text
);
CREATE TABLE sl_link (
    id character varying(36) NOT NULL,
    hash character varying(64),
    form character varying(63),
    record character varying(36),
    label character varying(100),
    created_by character varying(36),
    created_at timestamp with time zone,
    expires_at timestamp with time zone,
    withdrawn_at timestamp with time zone,
    most bigint,
    used bigint
);
CREATE TABLE sl_login_key (
    hash character varying(64) NOT NULL,
    sealed bytea,
    expires_at timestamp with time zone
);
CREATE TABLE sl_message (
    id character varying(36) NOT NULL,
    recipient character varying(36) NOT NULL,
    unread boolean NOT NULL,
    kind character varying(10) NOT NULL,
    type bigint NOT NULL,
    sender character varying(36) NOT NULL,
    model character varying(63) NOT NULL,
    record character varying(36) NOT NULL,
    params text NOT NULL,
    biz text NOT NULL,
    words text NOT NULL,
    about character varying(80) NOT NULL,
    once character varying(120),
    created_at timestamp with time zone NOT NULL,
    read_at timestamp with time zone
);
CREATE TABLE sl_meta (
    key text NOT NULL,
    value text NOT NULL
);
CREATE TABLE sl_migrated (
    digest character varying(64) NOT NULL
);
CREATE TABLE sl_node (
    id character varying(36) NOT NULL,
    name character varying(60) NOT NULL,
    version character varying(60) NOT NULL,
    workers bigint NOT NULL,
    started_at timestamp with time zone NOT NULL,
    seen_at timestamp with time zone NOT NULL,
    working text NOT NULL,
    errors text NOT NULL
);
CREATE TABLE sl_pending_index (
    name text NOT NULL,
    after text NOT NULL
);
CREATE TABLE sl_portal_arrangement (
    user_id character varying(36) NOT NULL,
    portal character varying(63) NOT NULL,
    widgets text NOT NULL,
    at timestamp with time zone NOT NULL
);
CREATE TABLE sl_print (
    id character varying(36) NOT NULL,
    actor character varying(36) NOT NULL,
    name text NOT NULL,
    how character varying(10) NOT NULL,
    model character varying(63) NOT NULL,
    template character varying(63) NOT NULL,
    created_at timestamp with time zone NOT NULL
);
CREATE TABLE sl_print_record (
    print_id character varying(36) NOT NULL,
    record character varying(36) NOT NULL,
    code character varying(32),
    shown bytea
);
CREATE TABLE sl_recovery (
    user_id character varying(36) NOT NULL,
    hash character varying(64) NOT NULL,
    used_at timestamp with time zone
);
CREATE TABLE sl_recycle (
    model text NOT NULL,
    record character varying(36) NOT NULL,
    at timestamp with time zone NOT NULL,
    name text NOT NULL,
    search text NOT NULL,
    user_id text NOT NULL,
    user_name text NOT NULL,
    files text NOT NULL,
    snapshot text NOT NULL
);
CREATE TABLE sl_refresh (
    hash character varying(64) NOT NULL,
    session_id character varying(36),
    expires_at timestamp with time zone,
    used_at timestamp with time zone
);
CREATE TABLE sl_saved_filter (
    id character varying(36) NOT NULL,
    query_code character varying(63),
    owner character varying(36),
    folded character varying(240),
    name character varying(240),
    filters text,
    shared boolean,
    created_at timestamp with time zone,
    updated_at timestamp with time zone
);
CREATE TABLE sl_saved_filter_default (
    query_code character varying(63) NOT NULL,
    user_id character varying(36) NOT NULL,
    filter_id character varying(36)
);
CREATE TABLE sl_schedule (
    code character varying(100) NOT NULL,
    due timestamp with time zone
);
CREATE TABLE sl_schema (
    id bigint NOT NULL,
    digest text NOT NULL,
    plan text NOT NULL,
    version bigint DEFAULT 0 NOT NULL
);
CREATE TABLE sl_secret (
    name character varying(40) NOT NULL,
    value bytea,
    sealed boolean DEFAULT false NOT NULL
);
CREATE TABLE sl_sequence (
    model text NOT NULL,
    period text NOT NULL,
    value bigint NOT NULL
);
CREATE TABLE sl_session (
    id character varying(36) NOT NULL,
    user_id character varying(36),
    kind character varying(10),
    label character varying(100),
    read_only boolean DEFAULT false NOT NULL,
    apps text,
    address character varying(64),
    device character varying(200),
    seen_at timestamp with time zone,
    created_at timestamp with time zone,
    expires_at timestamp with time zone,
    ended_at timestamp with time zone
);
CREATE TABLE sl_setting (
    name character varying(60) NOT NULL,
    value text
);
CREATE TABLE sl_ticket (
    hash character varying(64) NOT NULL,
    purpose character varying(20),
    sealed bytea,
    expires_at timestamp with time zone
);
CREATE TABLE sl_visit (
    user_id character varying(36) NOT NULL,
    kind character varying(10) NOT NULL,
    place character varying(63) NOT NULL,
    code character varying(63) NOT NULL,
    visited_at timestamp with time zone NOT NULL,
    favorite boolean NOT NULL
);
CREATE TABLE sl_wf_actor (
    v uuid NOT NULL,
    id character varying(36) NOT NULL,
    ordinal bigint NOT NULL
);
CREATE TABLE sl_wf_delegation (
    id character varying(36) NOT NULL,
    delegator character varying(36) NOT NULL,
    delegate character varying(36) NOT NULL,
    codes text NOT NULL,
    starts timestamp with time zone NOT NULL,
    ends timestamp with time zone NOT NULL,
    enabled boolean NOT NULL,
    created timestamp with time zone NOT NULL,
    depts text DEFAULT '[]'::text NOT NULL,
    keep_copy boolean DEFAULT false NOT NULL,
    move_open boolean DEFAULT false NOT NULL,
    return_open boolean DEFAULT false NOT NULL,
    moved boolean DEFAULT false NOT NULL,
    returned boolean DEFAULT false NOT NULL,
    told boolean DEFAULT false NOT NULL,
    removed boolean DEFAULT false NOT NULL,
    revision bigint DEFAULT 0 NOT NULL
);
CREATE TABLE sl_wf_event (
    instance character varying(36) NOT NULL,
    number bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    body bytea NOT NULL
);
CREATE TABLE sl_wf_instance (
    id character varying(36) NOT NULL,
    code character varying(63) NOT NULL,
    version bigint NOT NULL,
    model character varying(63) NOT NULL,
    record character varying(36) NOT NULL,
    live character varying(100),
    name text NOT NULL,
    search text NOT NULL,
    initiator character varying(36) NOT NULL,
    dept character varying(36),
    status character varying(12) NOT NULL,
    result character varying(12) NOT NULL,
    started timestamp with time zone NOT NULL,
    finished timestamp with time zone,
    urged timestamp with time zone,
    events bigint NOT NULL,
    parent character varying(36) NOT NULL,
    parent_activity bigint NOT NULL,
    parent_number bigint NOT NULL,
    state bytea NOT NULL
);
CREATE TABLE sl_wf_item (
    id character varying(36) NOT NULL,
    instance character varying(36) NOT NULL,
    number bigint NOT NULL,
    code character varying(63) NOT NULL,
    node character varying(63) NOT NULL,
    person character varying(36) NOT NULL,
    list character varying(12) NOT NULL,
    type character varying(12) NOT NULL,
    state character varying(12) NOT NULL,
    result character varying(12) NOT NULL,
    delegate_from character varying(36) NOT NULL,
    copy boolean DEFAULT false NOT NULL,
    opinion text NOT NULL,
    urged bigint NOT NULL,
    received timestamp with time zone,
    opened timestamp with time zone,
    finished timestamp with time zone,
    due timestamp with time zone
);
CREATE TABLE sl_wf_pool (
    instance character varying(36) NOT NULL,
    activity bigint NOT NULL,
    due boolean NOT NULL
);
CREATE TABLE sl_wf_preference (
    person character varying(36) NOT NULL,
    quick text,
    signature character varying(36) NOT NULL
);
CREATE TABLE sl_wf_remark (
    id character varying(36) NOT NULL,
    instance character varying(36) NOT NULL,
    item bigint NOT NULL,
    node character varying(63) NOT NULL,
    author character varying(36) NOT NULL,
    operation character varying(12) NOT NULL,
    signature character varying(36) NOT NULL,
    mentions text NOT NULL,
    created timestamp with time zone NOT NULL
);
CREATE TABLE sl_wf_remark_file (
    remark character varying(36) NOT NULL,
    "position" bigint NOT NULL,
    file character varying(36) NOT NULL
);
CREATE TABLE sl_wf_signal (
    instance character varying(36) NOT NULL,
    activity bigint NOT NULL,
    name character varying(63) NOT NULL,
    key character varying(200) NOT NULL
);
CREATE TABLE sl_wf_template (
    code character varying(63) NOT NULL,
    version bigint NOT NULL,
    pack character varying(63) NOT NULL,
    digest character varying(64) NOT NULL,
    document bytea NOT NULL,
    created timestamp with time zone NOT NULL
);
CREATE TABLE sl_wf_timer (
    instance character varying(36) NOT NULL,
    subject bigint NOT NULL,
    kind character varying(12) NOT NULL,
    step bigint NOT NULL,
    due timestamp with time zone NOT NULL,
    done boolean NOT NULL,
    fired timestamp with time zone,
    rest bigint
);
ALTER TABLE ONLY sl_audit
    ADD CONSTRAINT sl_audit_pkey PRIMARY KEY (id);
ALTER TABLE ONLY sl_batch_change
    ADD CONSTRAINT sl_batch_change_pkey PRIMARY KEY (batch, sequence);
ALTER TABLE ONLY sl_batch
    ADD CONSTRAINT sl_batch_pkey PRIMARY KEY (id);
ALTER TABLE ONLY sl_changeset
    ADD CONSTRAINT sl_changeset_pkey PRIMARY KEY (version);
ALTER TABLE ONLY sl_channel_choice
    ADD CONSTRAINT sl_channel_choice_pkey PRIMARY KEY (person);
ALTER TABLE ONLY sl_channel_type
    ADD CONSTRAINT sl_channel_type_pkey PRIMARY KEY (type);
ALTER TABLE ONLY sl_comment_file
    ADD CONSTRAINT sl_comment_file_pkey PRIMARY KEY (comment_id, "position");
ALTER TABLE ONLY sl_comment
    ADD CONSTRAINT sl_comment_pkey PRIMARY KEY (id);
ALTER TABLE ONLY sl_credential
    ADD CONSTRAINT sl_credential_pkey PRIMARY KEY (user_id);
ALTER TABLE ONLY sl_delivery
    ADD CONSTRAINT sl_delivery_pkey PRIMARY KEY (id);
ALTER TABLE ONLY sl_document_draft
    ADD CONSTRAINT sl_document_draft_pkey PRIMARY KEY (owner, pack, path);
ALTER TABLE ONLY sl_document
    ADD CONSTRAINT sl_document_pkey PRIMARY KEY (pack, path, version);
ALTER TABLE ONLY sl_draft
    ADD CONSTRAINT sl_draft_pkey PRIMARY KEY (id);
ALTER TABLE ONLY sl_dropped_property
    ADD CONSTRAINT sl_dropped_property_pkey PRIMARY KEY (model, property);
ALTER TABLE ONLY sl_edit_lock
    ADD CONSTRAINT sl_edit_lock_pkey PRIMARY KEY (portal);
ALTER TABLE ONLY sl_export_choice
    ADD CONSTRAINT sl_export_choice_pkey PRIMARY KEY (owner, list);
ALTER TABLE ONLY sl_export
    ADD CONSTRAINT sl_export_pkey PRIMARY KEY (id);
ALTER TABLE ONLY sl_factor
    ADD CONSTRAINT sl_factor_pkey PRIMARY KEY (user_id);
ALTER TABLE ONLY sl_file_pause
    ADD CONSTRAINT sl_file_pause_pkey PRIMARY KEY (id);
ALTER TABLE ONLY sl_file
    ADD CONSTRAINT sl_file_pkey PRIMARY KEY (id);
ALTER TABLE ONLY sl_guess
    ADD CONSTRAINT sl_guess_pkey PRIMARY KEY (key);
ALTER TABLE ONLY sl_history
    ADD CONSTRAINT sl_history_pkey PRIMARY KEY (id);
ALTER TABLE ONLY sl_idempotency
    ADD CONSTRAINT sl_idempotency_pkey PRIMARY KEY (key);
ALTER TABLE ONLY sl_identity
    ADD CONSTRAINT sl_identity_pkey PRIMARY KEY (id);
ALTER TABLE ONLY sl_import
    ADD CONSTRAINT sl_import_pkey PRIMARY KEY (id);
ALTER TABLE ONLY sl_import_record
    ADD CONSTRAINT sl_import_record_pkey PRIMARY KEY (import_id, sequence);
ALTER TABLE ONLY sl_import_row
    ADD CONSTRAINT sl_import_row_pkey PRIMARY KEY (import_id, number);
ALTER TABLE ONLY sl_job
    ADD CONSTRAINT sl_job_pkey PRIMARY KEY (id);
ALTER TABLE ONLY sl_job_result
    ADD CONSTRAINT sl_job_result_pkey PRIMARY KEY (job_id, sequence);
ALTER TABLE ONLY sl_link
    ADD CONSTRAINT sl_link_pkey PRIMARY KEY (id);
ALTER TABLE ONLY sl_login_key
    ADD CONSTRAINT sl_login_key_pkey PRIMARY KEY (hash);
ALTER TABLE ONLY sl_message
    ADD CONSTRAINT sl_message_pkey PRIMARY KEY (id);
ALTER TABLE ONLY sl_meta
    ADD CONSTRAINT sl_meta_pkey PRIMARY KEY (key);
ALTER TABLE ONLY sl_migrated
    ADD CONSTRAINT sl_migrated_pkey PRIMARY KEY (digest);
ALTER TABLE ONLY sl_node
    ADD CONSTRAINT sl_node_pkey PRIMARY KEY (id);
ALTER TABLE ONLY sl_pending_index
    ADD CONSTRAINT sl_pending_index_pkey PRIMARY KEY (name);
ALTER TABLE ONLY sl_portal_arrangement
    ADD CONSTRAINT sl_portal_arrangement_pkey PRIMARY KEY (user_id, portal);
ALTER TABLE ONLY sl_print
    ADD CONSTRAINT sl_print_pkey PRIMARY KEY (id);
ALTER TABLE ONLY sl_print_record
    ADD CONSTRAINT sl_print_record_pkey PRIMARY KEY (print_id, record);
ALTER TABLE ONLY sl_recovery
    ADD CONSTRAINT sl_recovery_pkey PRIMARY KEY (user_id, hash);
ALTER TABLE ONLY sl_recycle
    ADD CONSTRAINT sl_recycle_pkey PRIMARY KEY (model, record);
ALTER TABLE ONLY sl_refresh
    ADD CONSTRAINT sl_refresh_pkey PRIMARY KEY (hash);
ALTER TABLE ONLY sl_saved_filter_default
    ADD CONSTRAINT sl_saved_filter_default_pkey PRIMARY KEY (query_code, user_id);
ALTER TABLE ONLY sl_saved_filter
    ADD CONSTRAINT sl_saved_filter_pkey PRIMARY KEY (id);
ALTER TABLE ONLY sl_schedule
    ADD CONSTRAINT sl_schedule_pkey PRIMARY KEY (code);
ALTER TABLE ONLY sl_schema
    ADD CONSTRAINT sl_schema_pkey PRIMARY KEY (id);
ALTER TABLE ONLY sl_secret
    ADD CONSTRAINT sl_secret_pkey PRIMARY KEY (name);
ALTER TABLE ONLY sl_sequence
    ADD CONSTRAINT sl_sequence_pkey PRIMARY KEY (model, period);
ALTER TABLE ONLY sl_session
    ADD CONSTRAINT sl_session_pkey PRIMARY KEY (id);
ALTER TABLE ONLY sl_setting
    ADD CONSTRAINT sl_setting_pkey PRIMARY KEY (name);
ALTER TABLE ONLY sl_ticket
    ADD CONSTRAINT sl_ticket_pkey PRIMARY KEY (hash);
ALTER TABLE ONLY sl_visit
    ADD CONSTRAINT sl_visit_pkey PRIMARY KEY (user_id, kind, place, code);
ALTER TABLE ONLY sl_wf_actor
    ADD CONSTRAINT sl_wf_actor_pkey PRIMARY KEY (v, id);
ALTER TABLE ONLY sl_wf_delegation
    ADD CONSTRAINT sl_wf_delegation_pkey PRIMARY KEY (id);
ALTER TABLE ONLY sl_wf_event
    ADD CONSTRAINT sl_wf_event_pkey PRIMARY KEY (instance, number);
ALTER TABLE ONLY sl_wf_instance
    ADD CONSTRAINT sl_wf_instance_pkey PRIMARY KEY (id);
ALTER TABLE ONLY sl_wf_item
    ADD CONSTRAINT sl_wf_item_pkey PRIMARY KEY (id);
ALTER TABLE ONLY sl_wf_pool
    ADD CONSTRAINT sl_wf_pool_pkey PRIMARY KEY (instance, activity);
ALTER TABLE ONLY sl_wf_preference
    ADD CONSTRAINT sl_wf_preference_pkey PRIMARY KEY (person);
ALTER TABLE ONLY sl_wf_remark_file
    ADD CONSTRAINT sl_wf_remark_file_pkey PRIMARY KEY (remark, "position");
ALTER TABLE ONLY sl_wf_remark
    ADD CONSTRAINT sl_wf_remark_pkey PRIMARY KEY (id);
ALTER TABLE ONLY sl_wf_signal
    ADD CONSTRAINT sl_wf_signal_pkey PRIMARY KEY (instance, activity);
ALTER TABLE ONLY sl_wf_template
    ADD CONSTRAINT sl_wf_template_pkey PRIMARY KEY (code, version);
ALTER TABLE ONLY sl_wf_timer
    ADD CONSTRAINT sl_wf_timer_pkey PRIMARY KEY (instance, subject, kind, step);
CREATE INDEX idx_sl_audit_at ON sl_audit USING btree (at);
CREATE INDEX idx_sl_comment_file_file_id ON sl_comment_file USING btree (file_id);
CREATE INDEX idx_sl_comment_reply_to ON sl_comment USING btree (reply_to);
CREATE UNIQUE INDEX idx_sl_comment_token ON sl_comment USING btree (token);
CREATE INDEX idx_sl_delivery_done_at ON sl_delivery USING btree (done_at);
CREATE INDEX idx_sl_guess_keep_until ON sl_guess USING btree (keep_until);
CREATE INDEX idx_sl_history_at ON sl_history USING btree (at);
CREATE INDEX idx_sl_idempotency_at ON sl_idempotency USING btree (at);
CREATE INDEX idx_sl_identity_user_id ON sl_identity USING btree (user_id);
CREATE INDEX idx_sl_import_record_record ON sl_import_record USING btree (record);
CREATE INDEX idx_sl_import_user_id ON sl_import USING btree (user_id);
CREATE INDEX idx_sl_job_finished_at ON sl_job USING btree (finished_at);
CREATE UNIQUE INDEX idx_sl_job_live_key ON sl_job USING btree (live_key);
CREATE INDEX idx_sl_job_owner ON sl_job USING btree (owner);
CREATE INDEX idx_sl_link_form ON sl_link USING btree (form);
CREATE UNIQUE INDEX idx_sl_link_hash ON sl_link USING btree (hash);
CREATE INDEX idx_sl_login_key_expires_at ON sl_login_key USING btree (expires_at);
CREATE INDEX idx_sl_message_about ON sl_message USING btree (about);
CREATE INDEX idx_sl_message_read_at ON sl_message USING btree (read_at);
CREATE INDEX idx_sl_node_seen_at ON sl_node USING btree (seen_at);
CREATE INDEX idx_sl_refresh_expires_at ON sl_refresh USING btree (expires_at);
CREATE INDEX idx_sl_refresh_session_id ON sl_refresh USING btree (session_id);
CREATE INDEX idx_sl_saved_filter_default_filter_id ON sl_saved_filter_default USING btree (filter_id);
CREATE INDEX idx_sl_session_expires_at ON sl_session USING btree (expires_at);
CREATE INDEX idx_sl_session_user_id ON sl_session USING btree (user_id);
CREATE INDEX idx_sl_ticket_expires_at ON sl_ticket USING btree (expires_at);
CREATE INDEX idx_sl_wf_actor_person ON sl_wf_actor USING btree (id);
CREATE INDEX idx_sl_wf_delegation_from ON sl_wf_delegation USING btree (delegator);
CREATE INDEX idx_sl_wf_delegation_to ON sl_wf_delegation USING btree (delegate);
CREATE INDEX idx_sl_wf_instance_dept ON sl_wf_instance USING btree (dept);
CREATE UNIQUE INDEX idx_sl_wf_instance_live ON sl_wf_instance USING btree (live);
CREATE INDEX idx_sl_wf_pool_due ON sl_wf_pool USING btree (due);
CREATE INDEX idx_sl_wf_preference_signature ON sl_wf_preference USING btree (signature);
CREATE INDEX idx_sl_wf_remark_file_file ON sl_wf_remark_file USING btree (file);
CREATE INDEX idx_sl_wf_remark_instance ON sl_wf_remark USING btree (instance);
CREATE INDEX idx_sl_wf_remark_signature ON sl_wf_remark USING btree (signature);
CREATE INDEX sl_audit_actor ON sl_audit USING btree (actor);
CREATE INDEX sl_audit_kind ON sl_audit USING btree (kind);
CREATE INDEX sl_audit_subject ON sl_audit USING btree (subject);
CREATE INDEX sl_batch_model ON sl_batch USING btree (model, at);
CREATE INDEX sl_change_xid ON sl_change USING btree (xid);
CREATE INDEX sl_comment_author ON sl_comment USING btree (author, created_at);
CREATE INDEX sl_comment_record ON sl_comment USING btree (model, record);
CREATE INDEX sl_delivery_due ON sl_delivery USING btree (state, channel, next_at);
CREATE UNIQUE INDEX sl_delivery_once ON sl_delivery USING btree (message, channel);
CREATE INDEX sl_draft_user ON sl_draft USING btree (user_id, modified_at);
CREATE INDEX sl_export_created ON sl_export USING btree (created_at);
CREATE INDEX sl_export_owner ON sl_export USING btree (owner, created_at);
CREATE INDEX sl_file_loose ON sl_file USING btree (held, created_by);
CREATE INDEX sl_history_record ON sl_history USING btree (model, record, version);
CREATE UNIQUE INDEX sl_identity_who ON sl_identity USING btree (issuer, subject);
CREATE INDEX sl_import_model ON sl_import USING btree (model, at);
CREATE INDEX sl_import_row_kind ON sl_import_row USING btree (import_id, kind, number);
CREATE INDEX sl_job_live ON sl_job USING btree (state, owner);
CREATE INDEX sl_message_list ON sl_message USING btree (recipient, unread, created_at);
CREATE UNIQUE INDEX sl_message_once ON sl_message USING btree (recipient, once);
CREATE INDEX sl_print_by_code ON sl_print_record USING btree (code);
CREATE INDEX sl_print_by_record ON sl_print_record USING btree (record);
CREATE INDEX sl_recycle_age ON sl_recycle USING btree (at);
CREATE INDEX sl_recycle_at ON sl_recycle USING btree (model, at);
CREATE UNIQUE INDEX sl_saved_filter_name ON sl_saved_filter USING btree (query_code, owner, folded);
CREATE INDEX sl_saved_filter_shared ON sl_saved_filter USING btree (query_code, shared);
CREATE INDEX sl_visit_user ON sl_visit USING btree (visited_at);
CREATE INDEX sl_wf_instance_code ON sl_wf_instance USING btree (code, version);
CREATE INDEX sl_wf_instance_initiator ON sl_wf_instance USING btree (initiator, started);
CREATE INDEX sl_wf_instance_parent ON sl_wf_instance USING btree (parent, parent_activity);
CREATE INDEX sl_wf_instance_record ON sl_wf_instance USING btree (model, record);
CREATE INDEX sl_wf_instance_status ON sl_wf_instance USING btree (status, started);
CREATE INDEX sl_wf_item_from ON sl_wf_item USING btree (delegate_from);
CREATE INDEX sl_wf_item_list ON sl_wf_item USING btree (person, list, received);
CREATE UNIQUE INDEX sl_wf_item_number ON sl_wf_item USING btree (instance, number);
CREATE INDEX sl_wf_signal_key ON sl_wf_signal USING btree (name, key);
CREATE INDEX sl_wf_timer_open ON sl_wf_timer USING btree (due) WHERE (NOT done);
