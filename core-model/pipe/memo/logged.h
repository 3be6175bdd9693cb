/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The names of the functions that are compiled a second time, with LOGGED. */
#ifndef CORE_MODEL_PIPE_MEMO_LOGGED_H
#define CORE_MODEL_PIPE_MEMO_LOGGED_H

#define access_perform logged_access_perform
#define commit_alarm logged_commit_alarm
#define commit_first_squashable logged_commit_first_squashable
#define commit_interrupt logged_commit_interrupt
#define commit_perform logged_commit_perform
#define commit_tick logged_commit_tick
#define core_cycle_tick logged_core_cycle_tick
#define covers_perform logged_covers_perform
#define enter_store_perform logged_enter_store_perform
#define event_tick logged_event_tick
#define fetch_tick logged_fetch_tick
#define follow_perform logged_follow_perform
#define free_stores_perform logged_free_stores_perform
#define issue_complete logged_issue_complete
#define issue_tick logged_issue_tick
#define issue_wake logged_issue_wake
#define length_perform logged_length_perform
#define load_perform logged_load_perform
#define lsq_drain logged_lsq_drain
#define lsq_event logged_lsq_event
#define lsq_fini logged_lsq_fini
#define lsq_forget logged_lsq_forget
#define lsq_free logged_lsq_free
#define lsq_init logged_lsq_init
#define lsq_issue logged_lsq_issue
#define lsq_perform logged_lsq_perform
#define lsq_rename logged_lsq_rename
#define lsq_squash logged_lsq_squash
#define lsq_store_data logged_lsq_store_data
#define port_perform logged_port_perform
#define rename_again logged_rename_again
#define rename_fini logged_rename_fini
#define rename_init logged_rename_init
#define rename_squash logged_rename_squash
#define rename_tag logged_rename_tag
#define rename_tick logged_rename_tick
#define search_perform logged_search_perform
#define send_perform logged_send_perform
#define set_wait_perform logged_set_wait_perform
#define squash_from logged_squash_from
#define squash_perform logged_squash_perform
#define squash_redirect logged_squash_redirect
#define stats_add_outside logged_stats_add_outside
#define stats_account logged_stats_account
#define stats_add_recent logged_stats_add_recent
#define stats_begin logged_stats_begin
#define stats_leave_early logged_stats_leave_early
#define store_done_perform logged_store_done_perform
#define store_tick logged_store_tick
#define translate_perform logged_translate_perform
#define wait_bit_perform logged_wait_bit_perform

#endif
