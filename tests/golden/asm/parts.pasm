            .include "../../../programs/pics.pasm"
