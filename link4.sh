#!/bin/bash
cd /work/n37c
/work/cc.sh /work/n37c cli/commands/folder_link.cc cli/commands/operator_commands.cc > /work/n37c/link4.log 2>&1
echo done $? >> /work/n37c/link4.log
