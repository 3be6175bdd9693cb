/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The names of the functions that are compiled a second time, with NOTED. */
#ifndef CORE_MODEL_PIPE_NOTED_H
#define CORE_MODEL_PIPE_NOTED_H

#define access_perform noted_access_perform
#define commit_alarm noted_commit_alarm
#define commit_first_squashable noted_commit_first_squashable
#define commit_interrupt noted_commit_interrupt
#define commit_perform noted_commit_perform
#define commit_tick noted_commit_tick
#define core_cycle_tick noted_core_cycle_tick
#define core_send_tokens noted_core_send_tokens
#define covers_perform noted_covers_perform
#define enter_store_perform noted_enter_store_perform
#define event_tick noted_event_tick
#define fetch_tick noted_fetch_tick
#define follow_perform noted_follow_perform
#define free_stores_perform noted_free_stores_perform
#define issue_complete noted_issue_complete
#define issue_tick noted_issue_tick
#define issue_wake noted_issue_wake
#define length_perform noted_length_perform
#define lsq_drain noted_lsq_drain
#define lsq_event noted_lsq_event
#define lsq_fini noted_lsq_fini
#define lsq_forget noted_lsq_forget
#define lsq_free noted_lsq_free
#define lsq_init noted_lsq_init
#define lsq_issue noted_lsq_issue
#define lsq_perform noted_lsq_perform
#define lsq_rename noted_lsq_rename
#define lsq_squash noted_lsq_squash
#define lsq_store_data noted_lsq_store_data
#define mapped_perform noted_mapped_perform
#define port_perform noted_port_perform
#define rename_again noted_rename_again
#define rename_fini noted_rename_fini
#define rename_init noted_rename_init
#define rename_squash noted_rename_squash
#define rename_tick noted_rename_tick
#define search_perform noted_search_perform
#define send_perform noted_send_perform
#define set_wait_perform noted_set_wait_perform
#define squash_from noted_squash_from
#define squash_perform noted_squash_perform
#define squash_redirect noted_squash_redirect
#define stats_account noted_stats_account
#define stats_add_recent noted_stats_add_recent
#define stats_begin noted_stats_begin
#define stats_store_occupancy noted_stats_store_occupancy
#define store_done_perform noted_store_done_perform
#define store_tick noted_store_tick
#define translate_perform noted_translate_perform
#define wait_bit_perform noted_wait_bit_perform

#endif
