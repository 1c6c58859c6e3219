# xiangqi sensor log 1 #818d93f8
# start 2026-05-01T09:00:00.000Z #d236738e
# board table-01 #a304eae6
# game 1 #f27b0581
# config {"board":"table-01"} #d08b312a
0 hello identity press leds #89a94b09
0 board rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR #ca3fdb11
500 press black #b6971397
1200 lift h2 #2a5359c7
1850 drop e2 C #fc02835e
1900 press red #55992b58
2000 rpc {"jsonrpc":"2.0","id":1,"method":"game.pause","params":{},"by":"anna"} #88ee1606
5000 time #394dcad4
# restart 2026-05-01T09:00:09.000Z #6edd0ca3
9000 plug #5ca6bf29
9100 button none arbiter #ac27cbb7
9200 end #b6ad9f35
