# Four entries of a fitted transfer matrix in this folder: frequency, amplitude measured and fitted,
# phase measured and fitted.
set terminal svg size 760,520 dynamic font "sans-serif,13" background "white"
set multiplot layout 2,1 margins 0.12,0.97,0.13,0.92 spacing 0.04
set border 3
set tics nomirror
set grid linecolor "#dddddd"
set xrange [0:20]
set format x ""
set ylabel "displacement / drive"
set logscale y
set yrange [0.008:1.2]
set ytics (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1)
set key outside top center horizontal samplen 1.5
names = "11 22 12 21"
colours = "#222222 #c0392b #2471a3 #1e8449"
labels = "'1 from 1' '2 from 2' '1 from 2' '2 from 1'"
plot for [i=1:4] word(names,i).".txt" using 1:3 with lines lc rgb word(colours,i) lw 1.2 title word(labels,i), \
     for [i=1:4] word(names,i).".txt" using 1:2 with points pt 7 ps 0.45 lc rgb word(colours,i) notitle
unset logscale y
unset key
set format x "%g"
set xlabel "frequency, Hz"
set ylabel "phase, degrees"
set yrange [-120:5]
set ytics 30
plot for [i=1:4] word(names,i).".txt" using 1:5 with lines lc rgb word(colours,i) lw 1.2, \
     for [i=1:4] word(names,i).".txt" using 1:4 with points pt 7 ps 0.45 lc rgb word(colours,i)
