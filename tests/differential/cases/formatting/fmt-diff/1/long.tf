line00 = 0

line01 = 1

line02=  2
line03 = 3

line04 = 4

line05 = 5

line06 = 6

line07 = 7

line08 = 8

line09 = 9

line10 = 10

line11=  11
line12=  12
line13 = 13

line14 = 14

line15 = 15

line16 = 16

line17 = 17

line18 = 18

line19 = 19

line20 = 20

line21 = 21

line22 = 22

line23 = 23

line24 = 24

line25 = 25

line26 = 26

line27 = 27

line28 = 28

line29 = 29

line30=  30
line31 = 31

line32 = 32

line33 = 33

line34 = 34

line35 = 35

line36 = 36

line37 = 37

line38 = 38

line39 = 39

