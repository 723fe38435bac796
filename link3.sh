#!/bin/bash
cd /work/n37c
/work/cc.sh /work/n37c --linklibs /work/n37c/x_node tests/numerical/node/{integrator_leave_test,site_peer_test}.cc tests/gateway/operator/status_text_test.cc numerical/node/{run_status,site_readings}.cc gateway/operator/status_text.cc -Wl,-z,muldefs > /work/n37c/link3.log 2>&1
echo done $? >> /work/n37c/link3.log
