#!/bin/bash
cd /work/n37c
/work/cc.sh /work/n37c --linklibs /work/n37c/x_web tests/observe/web/{record_json_test,row_store_test}.cc tests/observe/live/{recorded_arming_test,note_author_test,rig_channels_test,watch_page_test}.cc observe/web/{watched_record,row_store,record_json}.cc observe/live/{note_author,recorded_arming,rig_channels,watch_page}.cc core/journal/{extent_table,journal_file}.cc -Wl,-z,muldefs > /work/n37c/link2.log 2>&1
echo done $? >> /work/n37c/link2.log
